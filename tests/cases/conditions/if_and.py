def f(a, b, c):
    if a and b and c:
        return "all"
    return "not all"
# run
f(1, 1, 1); f(1, 0, 1); f(0, 1, 1)
