import asyncio
async def give(x):
    return x
async def f(a, b):
    if await give(a) and await give(b):
        return "both"
    return await give(a) or await give(b)
# run
asyncio.run(f(1, 2)); asyncio.run(f(0, 2)); asyncio.run(f(1, 0))
