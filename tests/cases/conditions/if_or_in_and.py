def f(a, b, c, d):
    if (a or b) and (c or d):
        print("in")
    return "out"
# run
f(0, 1, 0, 1); f(1, 0, 0, 0); f(0, 0, 1, 1)
