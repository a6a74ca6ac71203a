# since: 3.10
import asyncio
async def ready(x):
    return x
async def f(xs):
    out = []
    for x in xs:
        match await ready(x):
            case [a] if await ready(a):
                out.append(await ready(a))
            case {"k": k}:
                async with asyncio.Lock():
                    out.append(k)
    return out
# run
asyncio.run(f([[1], [0], {"k": 2}, 3]))
