def f(items):
    for x in items:
        g = lambda: x
    del x
    try:
        return g()
    except NameError as error:
        return type(error).__name__
# run
f([1])
