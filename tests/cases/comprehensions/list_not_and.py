def f(items):
    return [x for x in items if not (x and x > 5)]
# run
f([0, 2, 7])
