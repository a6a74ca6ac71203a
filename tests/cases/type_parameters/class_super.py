# since: 3.12
class Base:
    def f(self):
        return "base"
class Box[T](Base):
    def f(self):
        return super().f(), T
    def g[U](self, x: U):
        return super().f(), __class__, x
# run
Box().f(); Box().g(1)
