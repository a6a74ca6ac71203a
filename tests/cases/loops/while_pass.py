def f(items):
    while items.pop():
        pass
    return items
# run
f([1, 0, 2, 3])
