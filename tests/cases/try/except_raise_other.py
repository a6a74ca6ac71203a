def f(g):
    try:
        g()
    except ValueError:
        raise KeyError
    return "fine"
# run
f(int); f(lambda: int("x"))
