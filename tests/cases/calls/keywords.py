def f(g):
    return g(a=1), g(1, b=2, c=3), g(**{"d": 4})
# run
f(lambda *a, **k: (a, k))
