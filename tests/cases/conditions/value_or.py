def f(a, b, c):
    x = a or b
    return x, a or b or c
# run
f(0, 0, 3); f(1, 2, 3); f(0, 2, 0)
