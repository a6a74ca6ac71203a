def f(g, i):
    g()[i + 1] += g()[0]
    return g()
# run
a = [1, 2, 3]; f(lambda: a, 0)
