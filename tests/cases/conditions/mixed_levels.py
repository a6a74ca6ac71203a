def f(a, b, c, d, e):
    if a and (b or c and (d or e)):
        return 1
    elif not a and (not b or not (c and d)):
        return 2
    return 3
# run
f(1, 0, 1, 0, 1); f(0, 1, 1, 1, 1); f(0, 0, 1, 1, 1); f(1, 0, 0, 1, 1); f(0, 1, 0, 1, 1)
