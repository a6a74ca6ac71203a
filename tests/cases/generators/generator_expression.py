def f(items):
    return sum(x * x for x in items if x)
# run
f([1, 0, 2])
