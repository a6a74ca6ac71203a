def f(a):
    x = True
    y = not False
    return x, y, a is True, a is None, a == False
# run
f(True); f(0)
