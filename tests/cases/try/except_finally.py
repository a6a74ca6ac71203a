def f(g):
    try:
        g()
    except ValueError:
        print("value")
    finally:
        print("finally")
    return "after"
# run
f(int); f(lambda: int("x")); f(1)
