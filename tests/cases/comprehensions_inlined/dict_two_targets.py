def f(pairs):
    return {key: value for key, value in pairs}
# run
f([("a", 1), ("b", 2)]); f([(1, 2, 3)])
