def f(g, h):
    try:
        try:
            g()
        except ValueError:
            print("inner")
            h()
    except TypeError:
        print("outer")
    return "after"
# run
f(int, int); f(lambda: int("x"), 1); f(lambda: int("x"), int); f(1, 1)
