# since: 3.14
class C:
    """doc"""
    a: int
    b: str = "b"
    c: list[C]
    def method(self) -> C:
        return self
    d: int = 4
    e: bool
# run
C.__annotations__; C.method.__annotations__; C.d
