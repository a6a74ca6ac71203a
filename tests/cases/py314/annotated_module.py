# since: 3.14
a: int = 1
b: str
def f(): pass
c: list[int] = []
# run
__annotations__
