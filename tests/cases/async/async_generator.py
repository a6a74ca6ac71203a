import asyncio
async def items(n):
    for i in range(n):
        await asyncio.sleep(0)
        received = yield i
        print(received)
async def f():
    result = []
    async for i in items(3):
        result.append(i)
    return result
# run
asyncio.run(f())
