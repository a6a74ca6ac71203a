def f(xs):
    a, b = [x for x in xs], {y for y in xs}
    return a, b
# run
f([1])
