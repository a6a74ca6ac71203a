def f(a, b, c, d):
    if a < b < c and d:
        return 1
    if d or a <= b != c:
        return 2
    return 3
# run
f(1, 2, 3, 1); f(1, 2, 3, 0); f(3, 2, 1, 0); f(3, 2, 1, 1)
