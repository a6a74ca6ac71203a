def f(xs):
    a = b = [x for x in xs]
    return a is b
# run
f([1])
