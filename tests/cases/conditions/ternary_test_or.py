def f(a, b):
    return 1 if a or b else 2
# run
f(0, 0); f(0, 1); f(1, 0)
