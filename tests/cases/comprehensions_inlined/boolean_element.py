def f(xs, y):
    return [x and y or None for x in xs], [not x for x in xs], [1 < x < 5 for x in xs]
# run
f([0, 2], "y")
