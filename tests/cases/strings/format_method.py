def f(a):
    return "{} {x}".format(a, x=1), "".join([a, "b"])
# run
f("x")
