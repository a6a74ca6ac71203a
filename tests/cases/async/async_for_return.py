import asyncio
async def items(n):
    for i in range(n):
        yield i
async def f(n):
    async for i in items(n):
        if i == 1:
            return "one"
# run
asyncio.run(f(1)); asyncio.run(f(5))
