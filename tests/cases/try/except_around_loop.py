def f(items):
    try:
        for item in items:
            print(1 / item)
    except ZeroDivisionError:
        print("zero")
    return item
# run
f([1, 2]); f([1, 0, 2])
