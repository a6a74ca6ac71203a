def f():
    return [1, 2, 3], (1, 2, 3), {"a": 1, "b": 2, "c": 3}, sorted({1, 2, 3})
# run
f()
