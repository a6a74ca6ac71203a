def f():
    a, b, c = 1, 2, 3
    d, e = "xy"
    return a, b, c, d, e
# run
f()
