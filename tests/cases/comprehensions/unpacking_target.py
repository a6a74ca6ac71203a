def f(pairs):
    return [a + b + sum(c) for a, (b, *c) in pairs]
# run
f([(1, (2, 3, 4))])
