def f(items):
    return [g() for g in [lambda x=x: x * 2 for x in items]]
# run
f([1, 2])
