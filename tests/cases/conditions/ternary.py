def f(a, b, c):
    x = a if b else c
    return x
# run
f(1, 1, 2); f(1, 0, 2)
