def f():
    return f.__code__.co_name, __name__, __debug__
# run
f()
