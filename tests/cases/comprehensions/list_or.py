def f(items):
    return [x for x in items if x < 1 or x > 5]
# run
f([0, 2, 7])
