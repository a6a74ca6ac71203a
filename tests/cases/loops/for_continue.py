def f(items):
    for item in items:
        if not item:
            continue
        print(item)
    return "end"
# run
f([0, 1, 0, 2])
