def f(items):
    while True:
        item = items.pop()
        if not item:
            break
        print(item)
    return items
# run
f([1, 0, 3, 4]); f([])
