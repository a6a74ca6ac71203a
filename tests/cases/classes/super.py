class A:
    def f(self, x):
        return x
    @classmethod
    def g(cls):
        return cls.__name__
class B(A):
    def f(self, x):
        return super().f(x) + 1
    @classmethod
    def g(cls):
        return super().g() + super(B, cls).g()
    def h(self):
        return __class__
# run
B().f(1); B.g(); B().h()
