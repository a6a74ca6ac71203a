def f(a, b, c):
    x = a < b < c
    return x, a == b != c
# run
f(1, 2, 3); f(3, 2, 1); f(2, 2, 3)
