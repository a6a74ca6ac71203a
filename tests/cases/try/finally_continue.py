def f(items):
    for item in items:
        try:
            print(1 / item)
        finally:
            if item == 0:
                continue
        print("after", item)
# run
f([1, 0, 2])
