def f(a, b):
    if not a:
        return
    if b is None:
        raise ValueError(a)
    if b < 0:
        return -b
    print(a, b)
# run
f(0, 1); f(1, None); f(1, -2); f(1, 2)
