def f(g):
    return g(g(1, g(2)), g(g(3), x=g(4)))
# run
f(lambda *a, **k: (a, k))
