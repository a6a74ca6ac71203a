def f(rows):
    return [cell for row in rows if row for cell in row if cell]
# run
f([[0, 1], [], [2]])
