def f(g):
    error = None
    try:
        g()
    except ValueError as error:
        kept = error.args
        return kept
    return error
# run
f(int); f(lambda: int("x"))
