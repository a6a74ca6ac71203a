def f(a, b):
    return [*a], [*a, 1, *b], (*a, 2), (*a,), sorted({*a, *b, 3})
# run
f([5], (6, 7))
