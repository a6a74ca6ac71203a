def f(x, items):
    squares = [x * x for x in items]
    return x, squares
# run
f("outer", [1, 2])
