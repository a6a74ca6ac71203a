def f(a, b):
    if a in b:
        return "in"
    if a not in (1, 2, 3):
        return "elsewhere"
    return "constant"
# run
f(1, [1]); f(9, []); f(2, [])
