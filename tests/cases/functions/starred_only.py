def f(*args, **kwargs):
    return args, kwargs
# run
f(1, 2, a=3); f()
