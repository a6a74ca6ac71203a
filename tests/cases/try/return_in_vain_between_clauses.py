def f(a, g):
    try:
        try:
            a = a()
        except:
            return g()
    except ValueError:
        pass
    finally:
        raise KeyError
# run
f(int, int); f(lambda: int("a"), int); f(lambda: int("a"), lambda: int("a"))
