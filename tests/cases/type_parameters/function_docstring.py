# since: 3.12
def f[T]():
    """doc"""
# run
f.__doc__; f()
