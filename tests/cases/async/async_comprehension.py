import asyncio
async def items(n):
    for i in range(n):
        yield i
async def f():
    a = [i async for i in items(3)]
    b = {i async for i in items(3) if i}
    c = {i: i async for i in items(2)}
    return a, b, c
# run
asyncio.run(f())
