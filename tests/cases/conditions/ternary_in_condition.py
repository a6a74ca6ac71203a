def f(a, b, c):
    if b if a else c:
        return "yes"
    return "no"
# run
f(1, 1, 0); f(1, 0, 1); f(0, 0, 1); f(0, 1, 0)
