def f(g):
    a = b, c = g()
    (d, e) = h = a
    return a, b, c, d, e, h
# run
f(lambda: (1, 2))
