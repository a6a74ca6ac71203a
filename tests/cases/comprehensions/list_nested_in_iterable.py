def f(rows):
    return [x for x in [y + 1 for y in rows]]
# run
f([1, 2])
