def f(items, low, taken):
    return [x for x in items if x > low not in taken], [x for x in items if x is not low in taken]
# run
f([1, 2, 3], 1, [2]); f([1, 2, 3], 2, [2])
