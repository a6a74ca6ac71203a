"""A docstring of the module, which stands apart.

    It keeps its lines,	its "quotes", its \\ and the quote at its "end\""""

from __future__ import annotations
import a
from b import c

a = 1


@decorator
@decorator(a)
def f(a: int, b: int = 1, /, *c: int, d, e=2, **f) -> int:
    """One line."""

    def inner():
        return a

    class Empty:
        pass

    return inner


class C(A, *B, metaclass=M):
    """Apart from the methods."""
    a: int = 1

    async def f(self):
        async with a as b, c:
            await b
        async for a, b in c:
            pass
        else:
            pass

    def g(self):
        pass


if a:
    b
elif c := d:
    if d:
        e
else:
    f
    g
if (a, b):
    pass
else:
    if a:
        pass
    b
while a := b:
    break
else:
    continue
for a, *b in c, d:
    pass
for a in (*b, c):
    pass
else:
    pass
with a, b as (c, d):
    pass
with ((a, b)):
    pass
with (a, b) as c:
    pass
with (yield):
    pass
try:
    a
except (A, B):
    b
except C as c:
    d
except:
    e
else:
    f
finally:
    g
try:
    pass
finally:
    pass
