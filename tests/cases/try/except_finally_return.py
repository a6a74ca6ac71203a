def f(g):
    try:
        return g()
    except ValueError:
        return "value"
    finally:
        print("finally")
# run
f(int); f(lambda: int("x")); f(1)
# expect 3.8 3.9 3.10 3.11 3.12 3.13 3.14
def f(g):
    try:
        return g()
    except ValueError:
        pass
    finally:
        print("finally")
    return "value"
