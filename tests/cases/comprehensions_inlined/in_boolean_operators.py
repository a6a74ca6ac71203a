def f(xs, y):
    return [x for x in xs] or y, [x for x in xs] and y, {x for x in xs} if y else [x for x in xs]
# run
f([], 1); f([1], 0)
