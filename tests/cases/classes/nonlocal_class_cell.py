class Outer:
    def method(self):
        class Inner:
            nonlocal __class__
            __class__ = 42
            def f():
                return __class__
        return __class__, Inner.f()
# run
Outer().method()
