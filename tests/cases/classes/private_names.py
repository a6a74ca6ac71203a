class C:
    __secret = 1
    def __init__(self):
        self.__x = 2
    def __method(self, __arg=3):
        return self.__x, C.__secret, __arg
    def call(self):
        return self.__method(), self._C__method(__arg=4)
# run
C().call(); sorted(C().__dict__)
