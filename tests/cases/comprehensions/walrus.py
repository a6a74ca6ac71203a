def f(items):
    found = [last := x for x in items]
    return found, last
# run
f([1, 2])
