def f(items):
    a = [x for x in items]
    b = [x for x in a if x]
    return a, b
# run
f([0, 1])
