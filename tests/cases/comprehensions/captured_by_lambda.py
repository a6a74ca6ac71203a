def f(items):
    return [g() for g in [lambda: x for x in items]]
# run
f([1, 2])
