import asyncio
async def items(n):
    for i in range(n):
        yield i
async def f():
    g = (i + 1 async for i in items(3))
    return [x async for x in g]
# run
asyncio.run(f())
