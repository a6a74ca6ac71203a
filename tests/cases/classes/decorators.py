def register(cls):
    cls.registered = True
    return cls
@register
class C:
    @property
    def x(self):
        return self._x
    @x.setter
    def x(self, value):
        self._x = value + 1
    @staticmethod
    def s(a):
        return a
    @classmethod
    def c(cls, a=2):
        return cls, a
# run
c = C(); c.x = 3; c.x; C.s(1); C.c(); C.registered
