def f(rows):
    for row in rows:
        for cell in row:
            if cell:
                break
        else:
            continue
        break
    return row, cell
# run
f([[0], [0, 1], [2]]); f([[0]])
