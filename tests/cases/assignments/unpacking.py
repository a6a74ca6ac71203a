def f(items):
    a, b = items
    (c, d), [e, (g, h)] = items
    return a, b, c, d, e, g, h
# run
f([(1, 2), (3, (4, 5))]); f([1])
