# since: 3.10
def f(a: int | None = None) -> list[int] | None:
    return a
# run
f(); f.__annotations__
