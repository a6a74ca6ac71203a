def f():
    x = 1
    def g():
        nonlocal x
        return 2
    return g(), x
# run
f()
