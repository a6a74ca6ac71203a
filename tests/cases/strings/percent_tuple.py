def f(a, b):
    return "%s and %r" % (a, b)
# run
f("x", "y")
