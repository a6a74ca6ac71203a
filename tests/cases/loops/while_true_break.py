def f(items):
    while True:
        item = items.pop()
        if not item:
            break
        print(item)
    return items
# run
f([1, 0, 3, 4]); f([])
# expect 3.10 3.12 3.13 3.14
def f(items):
    while True:
        item = items.pop()
        if not item:
            return items
        print(item)
