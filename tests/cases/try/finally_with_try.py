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
# expect 3.8 3.9 3.10 3.11 3.12 3.13 3.14
def f(g, h):
    try:
        g()
        return "after"
    finally:
        try:
            h()
        except ValueError:
            print("h failed")
