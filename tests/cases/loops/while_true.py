def f(items):
    while True:
        item = items.pop()
        if item is None:
            return items
        print(item)
# run
f([1, None, 3, 4]); f([])
