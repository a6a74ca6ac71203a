def f(rows):
    return [row for row in rows if [cell for cell in row if cell]]
# run
f([[1], [0], []])
