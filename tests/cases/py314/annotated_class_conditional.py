# since: 3.14
flag = True
class C:
    a: int
    if flag:
        b: str = "b"
    else:
        c: int
    d: float
    for i in range(2):
        e: list
# run
C.__annotations__
