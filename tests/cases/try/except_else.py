def f(g):
    try:
        x = g()
    except ValueError:
        x = None
    else:
        print("fine")
    return x
# run
f(int); f(lambda: int("x"))
