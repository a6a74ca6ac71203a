def f(g):
    try:
        g()
    except ValueError as error:
        raise KeyError("k") from error
    except TypeError:
        raise KeyError("t") from None
# run
f(int); f(lambda: int("x")); f(1)
