def f(n):
    def g(items):
        return [x * n for x in items]
    return g
# run
f(2)([1, 2])
