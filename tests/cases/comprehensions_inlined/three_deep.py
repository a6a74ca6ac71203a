def f(xs):
    return [[[(x, y, z) for z in xs] for y in xs] for x in xs]
# run
f([1, 2])
