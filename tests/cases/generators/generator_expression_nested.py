def f(rows):
    return list((x, y) for x in rows if x for y in x if y > 1)
# run
f([[1, 2], [], [3]])
