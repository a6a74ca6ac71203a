def f(g):
    try:
        g()
    except ValueError as error:
        return (lambda: error.args)()
# run
f(int); f(lambda: int("x"))
