def f(a, b, c):
    a, b, c = c, a, b
    return a, b, c
# run
f(1, 2, 3)
