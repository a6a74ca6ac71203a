def f(items, g):
    for item in items:
        if item:
            return g(item)
# run
f([0, 3], str); f([0], str)
