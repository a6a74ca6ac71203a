def f(a, b):
    a, b = b, a
    return a, b
# run
f(1, 2)
