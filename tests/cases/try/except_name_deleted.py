def f(g):
    try:
        g()
    except ValueError as error:
        del error
    return "after"
# run
f(int); f(lambda: int("x"))
