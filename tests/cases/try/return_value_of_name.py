def f(d, k):
    try:
        value = d[k]
    except KeyError:
        value = d[k] = len(d)
    return value
# run
f({}, 1); f({1: 5}, 1)
