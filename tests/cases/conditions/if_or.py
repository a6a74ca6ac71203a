def f(a, b, c):
    if a or b or c:
        return "some"
    return "none"
# run
f(0, 0, 0); f(0, 0, 1); f(1, 0, 0)
