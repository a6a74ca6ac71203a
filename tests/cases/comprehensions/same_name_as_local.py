def f(x):
    y = [x for x in x]
    return x, y
# run
f([1, 2])
