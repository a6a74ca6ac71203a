def f(flag, items):
    if flag:
        for item in items:
            print("a", item)
    else:
        for item in items:
            print("b", item)
    return flag
# run
f(True, [1]); f(False, [2])
