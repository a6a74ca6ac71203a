def f():
    """What it does."""
    return 1
def g():
    """Only this."""
def h():
    "with 'quotes' and \\ and\nlines"
    return f.__doc__
# run
f.__doc__; g.__doc__; h.__doc__; h()
