def f(rows):
    return [[cell * 2 for cell in row] for row in rows]
# run
f([[1], [2, 3]])
