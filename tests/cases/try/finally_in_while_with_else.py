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
# expect 3.8 3.9 3.10 3.11 3.12 3.13 3.14
def f(items):
    while items:
        try:
            x = items.pop()
            if x == 0:
                return "zero"
        finally:
            print("popped")
    return "all"
