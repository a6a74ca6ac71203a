def f(items):
    while True:
        if not items.pop():
            return items
    return "never"
# run
f([1, 0, 2])
# expect 3.8 3.9 3.10 3.11 3.12 3.13 3.14
def f(items):
    while items.pop():
        pass
    return items
