def f(a):
    class C:
        def g(self):
            nonlocal a
            a += 1
            return a
    c = C()
    c.g()
    return c.g(), a
# run
f(1)
