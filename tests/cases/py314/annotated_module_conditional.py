# since: 3.14
"""doc"""
flag = True
if flag:
    a: int = 1
else:
    b: str
try:
    c: float = 1 / 0
except ZeroDivisionError:
    d: bool
# run
__annotations__
