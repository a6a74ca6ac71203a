# since: 3.11
import asyncio
async def fail(kind):
    if kind:
        raise ExceptionGroup("group", [kind(1)])
async def f(kind):
    try:
        await fail(kind)
    except* ValueError as e:
        await asyncio.sleep(0)
        async with asyncio.Lock():
            return_value = len(e.exceptions)
    except* await asyncio.sleep(0, KeyError):
        return_value = "key"
    else:
        return_value = "none"
    return return_value
# run
asyncio.run(f(None)); asyncio.run(f(ValueError)); asyncio.run(f(KeyError))
