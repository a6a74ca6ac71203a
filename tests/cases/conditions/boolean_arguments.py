def f(a, b, g):
    return g(a and b, a or b, not a, a if b else None, key=a and not b, other=not (a or b))
# run
f(0, 1, lambda *x, **y: (x, y)); f(1, 0, lambda *x, **y: (x, y))
