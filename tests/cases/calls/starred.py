def f(g, a):
    return g(*a), g(1, *a), g(*a, 2, *a), g(*a, b=3)
# run
f(lambda *a, **k: (a, k), (5, 6))
