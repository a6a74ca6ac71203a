def f(items):
    while (item := items.pop()) is not None:
        print(item)
    return items
# run
f([7, None, 1, 2])
