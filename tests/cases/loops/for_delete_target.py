def f(items):
    for item in items:
        del item
    return len(items)
# run
f([1, 2])
