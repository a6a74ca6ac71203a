def f(a, b, c):
    x = (a and b) if c else (a or b)
    return x
# run
f(0, 2, 1); f(1, 2, 1); f(0, 2, 0); f(3, 2, 0)
# expect 3.10
def f(a, b, c):
    if c:
        x = a and b
        return x
    x = a or b
    return x
