def f(items):
    return sum(x for x in items), max((x for x in items), default=0)
# run
f([1, 2]); f([])
