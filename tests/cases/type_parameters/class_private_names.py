# since: 3.12
class Box[__T]:
    def f[__U](self, x: __T, y: __U):
        self.__x = x
        return __T, __U, self.__x
# run
Box().f(1, 2)
