def f(a, b):
    if not (a and b):
        return "not both"
    return "both"
# run
f(1, 1); f(1, 0); f(0, 0)
