# since: 3.12
class Box[T]:
    T = 1
    x: T
    def f(self):
        return T
# run
Box().f(); Box.__annotations__
# expect 3.14
class Box[T]:
    x: T
    T = 1

    def f(self):
        return T
