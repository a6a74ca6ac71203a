def f(g, h):
    try:
        g()
    except ValueError:
        try:
            h()
        finally:
            print("inner finally")
    finally:
        print("outer finally")
# run
f(int, int); f(lambda: int("x"), int); f(lambda: int("x"), 1)
