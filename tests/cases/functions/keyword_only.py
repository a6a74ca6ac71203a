def f(*, a, b=None, c):
    return a, b, c
# run
f(a=1, c=2); f(1)
