def f(g):
    while True:
        try:
            return g()
        except ValueError as error:
            print(error)
            g = int
# run
f(lambda: int("x")); f(int)
