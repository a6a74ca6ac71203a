from __future__ import annotations
def f(a: not_defined, b: 1 + 2 = 3) -> "text":
    return a
x: also_not_defined = 1
# run
f(1); f.__annotations__; __annotations__
