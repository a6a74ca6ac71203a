def f(items, key, default=None):
    for k, v in items:
        if k == key:
            break
    else:
        v = default
    return v
# run
f([(1, 2)], 1); f([(1, 2)], 2)
