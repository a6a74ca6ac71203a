import asyncio
async def items(n):
    for i in range(n):
        yield i
async def f(n):
    async for i in items(n):
        print(i)
    return "end"
# run
asyncio.run(f(2)); asyncio.run(f(0))
