def f(a, i):
    return a[i], a[0], a[-1], a[i, 0] if isinstance(a, dict) else a[i:][0], a[i][0]
# run
f([[1], [2]], 1); f({1: [5], 0: [6], -1: 7, (1, 0): 8}, 1)
