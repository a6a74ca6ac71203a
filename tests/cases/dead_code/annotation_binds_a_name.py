def f(a):
    def g(b: a | c, /):
        return b
    c: int
    return g
# run
f(1)
