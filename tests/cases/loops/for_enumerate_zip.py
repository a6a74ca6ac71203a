def f(a, b):
    for i, (x, y) in enumerate(zip(a, b)):
        if x != y:
            return i
    else:
        return -1
# run
f([1, 2], [1, 3]); f([1], [1])
