def f(items):
    return max([x * 2 for x in items], key=lambda x: -x), sorted({x for x in items})
# run
f([1, 2])
