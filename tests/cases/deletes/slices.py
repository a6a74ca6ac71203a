def f(a, i):
    del a[i:]
    del a[:1]
    del a[::2]
    return a
# run
f([1, 2, 3, 4, 5, 6], 5)
