def f(rows):
    return list(sum(y for y in x) for x in rows)
# run
f([[1, 2], [], [3]])
