def f(a, b=1, /, c=2, *, d=3):
    return a, b, c, d
# run
f(0); f(0, 1, 2, d=4); f(a=0)
