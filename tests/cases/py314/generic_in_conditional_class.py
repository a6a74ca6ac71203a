# since: 3.14
flag = True
class C[T]:
    if flag:
        a: T
    b: list[T] = []
# run
C.__annotations__
