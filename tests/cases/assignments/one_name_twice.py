def f(x, y):
    a, a = x, y
    d, e, b = b = x
    *c, c = y
    *e, e, e = y
    (b, c), (c, d) = x[:2], y
    a, c, c = y, a, x
    return a, b, c, d, e
# run
f([1, 2, 3], [4, 5])
