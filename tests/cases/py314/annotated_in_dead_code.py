# since: 3.14
if False:
    a: int = 1
b: str = "b"
class C:
    x: int
    if False:
        y: str
    z: list = []
# run
__annotations__; C.__annotations__
