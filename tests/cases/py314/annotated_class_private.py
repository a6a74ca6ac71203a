# since: 3.14
class C:
    __x: int = 1
    def __f(self, __y: str) -> __x:
        return self.__x
# run
C.__annotations__
