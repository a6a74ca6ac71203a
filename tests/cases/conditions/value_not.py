def f(a, b):
    return not a, not (a and b), not (a or b), not a and not b
# run
f(0, 0); f(0, 1); f(1, 1)
