def f(g):
    try:
        return g()
    except ValueError:
        return "value"
    finally:
        print("finally")
# run
f(int); f(lambda: int("x")); f(1)
