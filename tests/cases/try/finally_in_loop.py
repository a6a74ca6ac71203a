def f(items):
    for item in items:
        try:
            if item == 0:
                continue
            if item == 1:
                break
            if item == 2:
                return "two"
            print(item)
        finally:
            print("finally", item)
    return "end"
# run
f([3, 0, 4]); f([1, 5]); f([3, 2])
