def f(items):
    for item in items:
        x = item
        del x, item
    return "end"
# run
f([1, 2])
