def f(a, *b, c, **d):
    return lambda: (a, b, c, d)
# run
f(1, 2, c=3, e=4)()
