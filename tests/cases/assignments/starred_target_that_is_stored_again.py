def f(a):
    *_, _ = a
    _, *_, _ = a
    b, *_, _ = a
    return _, b
# run
f([1, 2, 3])
f([1])
