def f(a):
    if a > 1:
        x = y = a
    elif a:
        x, y = a, 0
    else:
        x = y = None
    return x, y
# run
f(2); f(1); f(0)
