def f(a, b, c):
    return a if b else c
# run
f(1, 1, 2); f(1, 0, 2)
