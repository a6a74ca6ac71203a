def f(pairs):
    for (
        a,
        _,
        _,
        b,
        b,
    ) in [(x, 1, 2, y, 3) for (
        x,
        y,
        y,
    ) in pairs]:
        yield a, b
# run
list(f([(1, 2, 3), (4, 5, 6)]))
