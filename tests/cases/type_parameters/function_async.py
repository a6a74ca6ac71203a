# since: 3.12
import asyncio
async def f[T](x: T):
    return x
# run
asyncio.run(f(1)); f.__type_params__
