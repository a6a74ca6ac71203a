def f(items, n):
    m = n * 2
    return [x + n + m for x in items]
# run
f([1, 2], 3)
