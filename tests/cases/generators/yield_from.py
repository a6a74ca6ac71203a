def f(items):
    result = yield from items
    print(result)
    yield from (1, 2)
# run
list(f([5, 6]))
