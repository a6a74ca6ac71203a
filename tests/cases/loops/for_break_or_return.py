def f(items):
    for item in items:
        if item == 1:
            break
        if item == 2:
            return "two"
        if item == 3:
            continue
        print(item)
    return "end"
# run
f([4, 3, 1]); f([4, 2]); f([])
