def f(items):
    return [x if x else "none" for x in items]
# run
f([0, 2])
