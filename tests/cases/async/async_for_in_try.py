import asyncio
async def items(n):
    for i in range(n):
        yield i
async def f(n):
    found = []
    try:
        async for i in items(n):
            if i == 1:
                continue
            found.append(1 / (3 - i))
    except ZeroDivisionError:
        found.append("zero")
    finally:
        found.append("end")
    return found
# run
asyncio.run(f(3)); asyncio.run(f(5))
