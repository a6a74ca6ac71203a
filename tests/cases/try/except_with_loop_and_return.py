def f(items, target):
    try:
        for i, item in enumerate(items):
            if item == target:
                return i
            if item is None:
                raise ValueError("none")
    except ValueError as error:
        print(error)
    return -1
# run
f([1, 2], 2); f([1], 2); f([None], 2)
