def f(d, k):
    d[k] = 1
    d["a"], d["b"] = 2, 3
    d[k, 0] = d[...] = 4
    return d
# run
f({}, 5)
