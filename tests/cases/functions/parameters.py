def f(a, b=1, *args, c, d=2, **kwargs):
    return a, b, args, c, d, kwargs
# run
f(0, c=3); f(0, 1, 2, 3, c=4, d=5, e=6); f()
