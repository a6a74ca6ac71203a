class Box:
    pass
def f(items):
    box = Box()
    for box.value in items:
        print(box.value)
    return box.value
# run
f([1, 2])
