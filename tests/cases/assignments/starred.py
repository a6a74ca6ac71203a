def f(items):
    a, *b = items
    *c, d = items
    e, *g, h = items
    return a, b, c, d, e, g, h
# run
f([1, 2, 3]); f([1]); f([])
