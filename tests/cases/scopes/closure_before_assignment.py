def f(early):
    def g():
        return x
    if early:
        return g()
    x = 1
    return g()
# run
f(0); f(1)
