def f(rows):
    return [(x, y) for x in rows for y in x]
# run
f([[1, 2], [3]])
