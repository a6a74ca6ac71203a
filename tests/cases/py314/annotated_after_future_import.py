# since: 3.14
"""doc"""
from __future__ import annotations
a: undefined = 1
b: other
class C:
    x: undefined
    def f(self, y: "quoted", *z: *stars) -> None: pass
# run
__annotations__; C.__annotations__; C.f.__annotations__
