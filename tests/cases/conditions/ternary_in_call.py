def f(a, g):
    return g(1 if a else 2, 3, key=lambda x: -x if a else x)
# run
f(1, lambda *a, key: (a, key(5))); f(0, lambda *a, key: (a, key(5)))
