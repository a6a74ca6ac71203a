import asyncio
async def give(x):
    return x
async def f():
    print(await give(1), await give(2))
    return [await give(3), (await give("ab")).upper()]
# run
asyncio.run(f())
