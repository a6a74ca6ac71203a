def f(rows):
    for row in rows:
        for cell in row:
            if cell:
                return row, cell
# run
f([[0], [0, 5]]); f([[0]])
