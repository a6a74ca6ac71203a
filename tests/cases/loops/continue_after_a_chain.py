def f(rows, low, high):
    found = []
    for row in rows:
        if row is not None and not (low <= row <= high):
            continue
        found.append(row)
        if low <= high <= row:
            continue
        if not low <= high <= row: continue
        found.append(low)
    return found
def g(rows, low, high):
    while rows:
        row = rows.pop()
        if not row:
            print("none")
        elif not (low <= row <= high or row == 9):
            continue
        print(row)
# run
f([None, 1, 3, 4, 5], 1, 4); g([0, 2, 9, 12], 1, 4)
