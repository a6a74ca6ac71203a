def f(g, h):
    try:
        a = g()
    except ValueError:
        a = None
    try:
        b = h()
    except ValueError:
        b = None
    return a, b
# run
f(int, int); f(lambda: int("x"), int); f(int, lambda: int("x"))
