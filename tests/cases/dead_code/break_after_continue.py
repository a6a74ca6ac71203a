def f(items):
    for x in items:
        continue
        break
    return x
# run
f([1, 2])
