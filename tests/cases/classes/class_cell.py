class A:
    def f(self):
        return __class__.__name__
    g = lambda self: __class__
# run
A().f(); A().g()
