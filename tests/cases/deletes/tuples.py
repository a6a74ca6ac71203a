def f():
    a = b = c = d = 1
    del a, (b, [c, d])
    return "deleted"
# run
f()
