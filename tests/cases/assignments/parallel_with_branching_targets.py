def f(a, h):
    a, a[h and a] = a, a


def g(a, b, c):
    a[b if c else 1], b[a or c] = c or 2, b
    a[0], c = b[1 < c < 3] = b, a
    return a, b, c
# run
f({}, 1); g({}, {}, 2); g([1, 2], [3, 4], 0)
