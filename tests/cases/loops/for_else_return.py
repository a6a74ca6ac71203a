def f(items):
    for item in items:
        if item:
            print(item)
            break
    else:
        return "none"
    return "some"
# run
f([0, 1]); f([0])
