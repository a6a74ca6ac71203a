async def f(b, c):
    d = [x for x in b if not __debug__ async for x in x]
    e = {x for x in b if 1 or await c}
    return d, e, (x for x in b if not __debug__ and await c)
# expect 3.10 3.11
async def f(b, c):
    d = [None for x in b if True or await None if False]
    e = {x for x in b if True or c or await None}
    return d, e, (None for x in b if True or c or await None if False)
# expect 3.12 3.13 3.14
async def f(b, c):
    d = [None for x in b if False]
    e = {x for x in b}
    return d, e, (None for x in b if True or c or await None if False)
