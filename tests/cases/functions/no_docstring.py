def f(x):
    x = "not a docstring"
    return x
def g():
    return "not one"
# run
f(1); f.__doc__; g.__doc__
