import asyncio
async def items(n):
    for i in range(n):
        yield i
async def f(place):
    return [0 async for place[0] in items(3)], place
# run
asyncio.run(f([None]))
