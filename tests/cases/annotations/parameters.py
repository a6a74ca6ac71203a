def f(a: int, *b: str, c: "text" = 1, d: list = [], **e: dict) -> tuple:
    return a, b, c, d, e
# run
f(1, 2); f.__annotations__
