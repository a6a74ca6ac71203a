def f(items):
    return sorted({x % 3 for x in items})
# run
f(range(5))
