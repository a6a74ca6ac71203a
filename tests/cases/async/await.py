import asyncio
async def one():
    return 1
async def f():
    x = await one()
    return x + await one()
# run
asyncio.run(f())
