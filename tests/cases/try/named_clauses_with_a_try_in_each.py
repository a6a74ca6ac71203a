def f(a, d):
    try:
        a = d()
    except KeyError as e:
        try:
            return a
        finally:
            pass
    except ValueError as e:
        try:
            d = a()
        except TypeError as e:
            pass
# run
f(int, int); f(int, lambda: {}[0]); f(0, lambda: int("a")); f(int, lambda: int("a"))
