def f(g, h):
    try:
        g()
    finally:
        try:
            h()
        except ValueError:
            print("h failed")
    return "after"
# run
f(int, int); f(1, int); f(1, lambda: int("x")); f(int, lambda: int("x"))
