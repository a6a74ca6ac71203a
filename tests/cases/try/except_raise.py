def f(g):
    try:
        g()
    except ValueError:
        print("seen")
        raise
# run
f(int); f(lambda: int("x"))
