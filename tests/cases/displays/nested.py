def f(a):
    return [[a], [[a, 1]], {"k": [a, {"m": (a, [])}]}]
# run
f(1)
