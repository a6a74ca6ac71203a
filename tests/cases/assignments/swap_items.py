def f(a, i, j):
    a[i], a[j] = a[j], a[i]
    return a
# run
f([1, 2, 3], 0, 2)
