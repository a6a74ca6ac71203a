def f(items):
    while items:
        try:
            x = items.pop()
            if x == 0:
                break
        finally:
            print("popped")
    else:
        return "all"
    return "zero"
# run
f([1, 2]); f([1, 0, 2])
