def f(a, b):
    return a == b, a != b, a < b, a <= b, a > b, a >= b
# run
f(1, 2); f(2, 2); f(2, 1)
