def f(items):
    return [x + 1 for x in items]
# run
f([1, 2]); f([])
