import asyncio
async def items(n):
    for i in range(n):
        yield i
async def f(n):
    async for i in items(n):
        if i == 2:
            break
        if i == 1:
            continue
        print(i)
    else:
        print("all")
    return "end"
# run
asyncio.run(f(2)); asyncio.run(f(5))
# expect 3.8 3.9 3.10 3.11 3.12 3.13 3.14
import asyncio


async def items(n):
    for i in range(n):
        yield i


async def f(n):
    async for i in items(n):
        if i == 2:
            return "end"
        if i == 1:
            continue
        print(i)
    print("all")
    return "end"
