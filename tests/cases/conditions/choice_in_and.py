def f(a, b, c, d):
    x = (b if a else c and d) and a
    y = (b if a else c or d) and a
    z = (b or c if a else d) and c
    return x, y, z, (a if a else c and d) and a
# run
f(0, 1, 2, 3); f(1, 0, 2, 3); f([], 0, 0, 3); f([], 0, 2, 0)
