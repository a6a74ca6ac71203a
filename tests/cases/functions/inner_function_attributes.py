def f():
    def g():
        return g.count
    g.count = 3
    return g
# run
f()()
