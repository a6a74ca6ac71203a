def f(a, g):
    try:
        try:
            a()
        except ValueError:
            g()
        return g()
    finally:
        raise KeyError


def h(a, g):
    try:
        a = a()
    except ValueError as e:
        return g(e)
    finally:
        raise KeyError
# run
f(int, int)
f(lambda: int("a"), int)
h(lambda: int("a"), str)
