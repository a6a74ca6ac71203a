def f(g):
    try:
        return g()
    except ValueError:
        return "value"
# run
f(int); f(lambda: int("x")); f(1)
