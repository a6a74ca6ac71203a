def f(items):
    while True:
        if not items.pop():
            return items
    return "never"
# run
f([1, 0, 2])
