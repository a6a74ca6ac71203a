def f(a):
    _, b, _ = a
    return b, _
# run
f((1, 2, 3))
