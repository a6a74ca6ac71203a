def f(items):
    while True:
        try:
            item = items.pop()
        except IndexError:
            break
        print(item)
    return "empty"
# run
f([1, 2]); f([])
