def f(rows):
    return [n for row in rows for n in {cell: 1 for cell in row}]
# run
f([[1, 1], [2]])
