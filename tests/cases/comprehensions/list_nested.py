def f(rows):
    return [[y * 2 for y in x] for x in rows]
# run
f([[1, 2], [3]])
