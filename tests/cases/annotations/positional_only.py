def f(a: int, /, b: float, *, c: str):
    return a, b, c
# run
f(1, 2, c=3); list(f.__annotations__)
