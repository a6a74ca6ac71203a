def f(xs):
    return [list(x + y for y in xs) for x in xs]
# run
f([1, 2])
