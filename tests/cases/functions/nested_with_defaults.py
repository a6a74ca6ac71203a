def f(a):
    def g(b=a, *, c=a + 1):
        return b, c
    return g
# run
f(1)(); f(1)(5, c=6)
