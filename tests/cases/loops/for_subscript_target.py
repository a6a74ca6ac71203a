def f(items, where):
    for where[0] in items:
        print(where)
    return where
# run
f([1, 2], [0])
