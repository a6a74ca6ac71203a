def f(a, b, c, rows):
    found = [(a, b, c) for a, b, c in rows]
    return a, b, c, found
# run
f(1, 2, 3, [(4, 5, 6)]); f(1, 2, 3, [(4, 5)])
