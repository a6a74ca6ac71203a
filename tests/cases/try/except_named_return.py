def f(g):
    try:
        return g()
    except Exception as error:
        return str(error)
# run
f(int); f(lambda: 1 / 0)
