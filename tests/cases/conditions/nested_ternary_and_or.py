def f(a, b, c):
    return (a or b) if (a and c) else (b if not c else c and a)
# run
f(1, 2, 3); f(0, 2, 0); f(0, 2, 3); f(1, 0, 0)
# expect 3.8 3.9 3.10 3.11 3.12 3.13 3.14
def f(a, b, c):
    return a or b if a and c else c and a if c else b
