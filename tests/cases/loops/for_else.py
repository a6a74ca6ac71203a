def f(items, wanted):
    for item in items:
        if item == wanted:
            break
    else:
        print("not found")
    return item
# run
f([1, 2], 1); f([1, 2], 3); f([], 1)
