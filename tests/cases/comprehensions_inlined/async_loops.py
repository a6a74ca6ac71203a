import asyncio
async def items(n):
    for i in range(n):
        yield i
async def f():
    return [(i, j) async for i in items(2) for j in range(2)], {i: j for i in range(2) async for j in items(2) if j}
# run
asyncio.run(f())
