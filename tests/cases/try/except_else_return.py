def f(g):
    try:
        x = g()
    except ValueError:
        return "failed"
    else:
        print("fine")
        return x
# run
f(int); f(lambda: int("x"))
