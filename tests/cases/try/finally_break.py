def f(items):
    for item in items:
        try:
            print(1 / item)
        finally:
            if item == 0:
                break
        print("after", item)
    return "end"
# run
f([1, 0, 2])
