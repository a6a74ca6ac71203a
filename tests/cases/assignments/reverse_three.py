def f(a, b, c):
    a, b, c = c, b, a
    return a, b, c
# run
f(1, 2, 3)
