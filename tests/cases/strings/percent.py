def f(a):
    return "%s" % a, "%d items" % len(a), "%(k)s" % {"k": a}
# run
f("x")
