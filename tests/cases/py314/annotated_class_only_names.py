# since: 3.14
class C:
    a: int
    b: str
# run
C.__annotations__
