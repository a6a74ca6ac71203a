def f(rows):
    return [(first, rest) for first, *rest in rows]
# run
f([(1, 2, 3), (4,)]); f([()])
