def f():
    x = 1
    def g():
        def h():
            nonlocal x
            x = x * 2
        h()
    g()
    return x
# run
f()
