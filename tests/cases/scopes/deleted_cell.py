def f():
    x = 1
    def g():
        return x
    del x
    return g()
# run
f()
