def f(a, b):
    return "a" if a else "b" if b else "none"
# run
f(1, 1); f(0, 1); f(0, 0)
