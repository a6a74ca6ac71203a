def f(a, b, c):
    return (a or b) if (a and c) else (b if not c else c and a)
# run
f(1, 2, 3); f(0, 2, 0); f(0, 2, 3); f(1, 0, 0)
