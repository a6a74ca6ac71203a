def f(xs):
    return [x if x > 1 else -x for x in xs]
# run
f([1, 2])
