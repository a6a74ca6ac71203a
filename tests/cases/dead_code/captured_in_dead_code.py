def f(a, b):
    async def g(*c: a):
        return c
    if not __debug__:
        def g():
            return a, b
    return g

class A:
    def m(self):
        raise ValueError
        super().x = 1

    if 0:
        def n(self):
            return __class__
# run
f(1, 2).__annotations__; A().m()
