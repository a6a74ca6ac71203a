import asyncio
async def give(x):
    return x
async def f():
    return [await give(x) for x in (1, 2) if await give(x)]
# run
asyncio.run(f())
