def f(d, k):
    d[k] += 1
    d[k][0:1] += "a" if 0 else "b"
    return d
# run
f([1, 2], 0)
