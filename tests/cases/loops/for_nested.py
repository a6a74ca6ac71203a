def f(rows):
    for row in rows:
        for cell in row:
            if cell == 0:
                break
            if cell < 0:
                continue
            print(cell)
        else:
            print("whole row")
# run
f([[1, -1, 2], [3, 0, 4], []])
