def f(rows):
    for row in rows:
        print([x for x in row if x])
        if any(x > 2 for x in row):
            break
    return [row for row in rows]
# run
f([[1, 0], [3], [4]])
