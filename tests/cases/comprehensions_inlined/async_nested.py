import asyncio
async def items(n):
    for i in range(n):
        yield i
async def f():
    return [[j async for j in items(i)] async for i in items(3)]
# run
asyncio.run(f())
