def f(a):
    return 1, *a
# run
f([2, 3])
