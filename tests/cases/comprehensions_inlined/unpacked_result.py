def f(xs):
    a, b = [x + 1 for x in xs]
    return a, b
# run
f([1, 2]); f([1])
