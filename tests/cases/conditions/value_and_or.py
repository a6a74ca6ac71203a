def f(a, b, c, d):
    return a and b or c and d
# run
f(1, 2, 3, 4); f(0, 2, 3, 4); f(1, 0, 0, 4); f(0, 0, 3, [])
