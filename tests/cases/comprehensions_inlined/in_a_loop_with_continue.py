def f(rows):
    found = []
    for row in rows:
        if not row:
            continue
        found.append([x for x in row])
    return found
# run
f([[1], [], [2]])
