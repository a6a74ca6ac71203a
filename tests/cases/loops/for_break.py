def f(items):
    for item in items:
        if item > 2:
            break
        print(item)
    return item
# run
f([1, 2, 3, 4]); f([1])
