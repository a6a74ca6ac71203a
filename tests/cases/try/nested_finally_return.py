def f(g):
    try:
        try:
            return g()
        finally:
            print("inner")
    except TypeError:
        return "type"
    finally:
        print("outer")
# run
f(int); f(1); f(lambda: int("x"))
