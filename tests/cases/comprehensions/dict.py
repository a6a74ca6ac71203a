def f(pairs):
    return {k: v for k, v in pairs if k}
# run
f([(1, 2), (0, 3)])
