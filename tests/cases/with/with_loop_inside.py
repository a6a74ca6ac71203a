import contextlib
def f(items):
    with contextlib.suppress(ZeroDivisionError):
        for item in items:
            if item == 3:
                break
            print(6 / item)
        else:
            print("all")
    return "end"
# run
f([1, 2]); f([3, 1]); f([1, 0, 2])
