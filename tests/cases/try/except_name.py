def f(g):
    try:
        g()
    except ValueError as error:
        print(error)
    return "after"
# run
f(int); f(lambda: int("x")); f(1)
