def f(wrap):
    @wrap
    def g(x):
        return x + 1
    return g
# run
f(lambda g: g(1)); f(lambda g: g)(5)
