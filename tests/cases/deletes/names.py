def f(a, b):
    del a
    del b
    return "deleted"
x = y = 1
del x, y
# run
f(1, 2); x
