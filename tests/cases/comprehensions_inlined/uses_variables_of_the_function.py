def f(xs, n):
    def g():
        return [x + n for x in xs]
    return g()
# run
f([1, 2], 3)
