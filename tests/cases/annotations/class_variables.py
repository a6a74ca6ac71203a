class C:
    a: int
    b: str = "b"
    c: "C" = None
    def f(self) -> int:
        return 1
# run
C.__annotations__; C.b; C().f.__annotations__
