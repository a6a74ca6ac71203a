def f(g, a, b):
    return g(a or b, a and b, not a, a if b else 0, x=a or 1)
# run
f(lambda *a, **k: (a, k), 0, 2)
