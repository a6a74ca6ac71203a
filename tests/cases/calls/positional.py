def f(g):
    return g(), g(1), g(1, 2)
# run
f(lambda *a: a)
