def f(items):
    return [x for x in items if x > 1]
# run
f([1, 2, 3])
