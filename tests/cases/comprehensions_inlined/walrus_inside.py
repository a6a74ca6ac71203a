def f(xs):
    return [y for x in xs if (y := x * 2) > 2], y
# run
f([1, 2])
