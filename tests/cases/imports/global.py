def f():
    global math
    import math
    global path
    from os import path
    return math.floor(1.5)
# run
f(); math.pi; path.sep
