def f() -> None:
    pass
# run
f.__annotations__
