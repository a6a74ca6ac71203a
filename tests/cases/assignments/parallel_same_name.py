def f():
    a, a = 1, 2
    return a
# run
f()
