def f(xs):
    return [x for x in xs] == list(xs) != {x for x in xs}
# run
f([1, 2])
