def f(items):
    return (yield from items)
# run
list(f([5, 6]))
