def f(a, b, c, d):
    a, b, c, d = b, c, d, a
    return a, b, c, d
# run
f(1, 2, 3, 4)
