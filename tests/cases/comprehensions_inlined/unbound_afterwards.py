def f(xs):
    [x for x in xs]
    return x
# run
f([1])
