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
# expect 3.8 3.9 3.10 3.11 3.12 3.13 3.14
def f(items):
    while True:
        try:
            item = items.pop()
        except IndexError:
            return "empty"
        print(item)
