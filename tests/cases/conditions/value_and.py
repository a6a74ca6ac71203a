def f(a, b, c):
    x = a and b
    y = a and b and c
    return x, y
# run
f(0, 2, 3); f(1, 2, 3); f(1, 0, 3)
