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
# expect 3.8 3.9 3.10 3.11 3.12 3.13 3.14
def f(items):
    for item in items:
        if item:
            print(item)
            return "some"
    return "none"
