def f(a):
    def g(b):
        def h(c):
            return a, b, c
        return h
    return g
# run
f(1)(2)(3); f.__qualname__; f(1).__qualname__
