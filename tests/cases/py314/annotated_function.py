# since: 3.14
def f(a: int, /, b: str = "b", *args: float, c: bool, **kwargs: None) -> list[int]:
    return a
# run
f.__annotations__
