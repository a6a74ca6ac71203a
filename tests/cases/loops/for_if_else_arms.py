def f(items):
    for item in items:
        if item > 0:
            print("plus")
        elif item < 0:
            print("minus")
        else:
            print("zero")
# run
f([1, -1, 0])
