import asyncio
def f(n):
    async def inner():
        nonlocal n
        n += 1
        return n
    return inner
# run
asyncio.run(f(1)())
