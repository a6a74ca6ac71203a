# since: 3.14
import asyncio, contextlib
async def f(x):
    async with contextlib.nullcontext(x) as y, contextlib.nullcontext():
        return y
# run
asyncio.run(f(1))
