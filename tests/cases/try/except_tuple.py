def f(g):
    try:
        g()
    except (ValueError, TypeError) as error:
        print(type(error))
# run
f(int); f(lambda: int("x")); f(1); f(lambda: 1 / 0)
