def f(xs):
    return [(x, [x for x in range(x)]) for x in xs]
# run
f([1, 2])
