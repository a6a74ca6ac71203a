import asyncio
async def double(x):
    return x * 2
async def f(xs):
    return [await double(x) for x in xs if await double(x) > 2]
# run
asyncio.run(f([1, 2]))
