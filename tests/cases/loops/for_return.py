def f(items):
    for item in items:
        if item > 2:
            return item * 2
    return None
# run
f([1, 2, 3]); f([1])
