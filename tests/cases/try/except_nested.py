def f(g, h):
    try:
        g()
    except ValueError:
        try:
            h()
        except ValueError:
            print("both")
        print("g")
    return "after"
# run
f(int, int); f(lambda: int("x"), int); f(lambda: int("x"), lambda: int("y")); f(lambda: int("x"), 1)
