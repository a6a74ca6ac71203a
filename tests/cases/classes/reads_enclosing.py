def f(x):
    class C:
        y = x + 1
        def g(self):
            return x
    return C.y, C().g()
# run
f(1)
