import asyncio
async def fail():
    raise ValueError("x")
async def f():
    try:
        await fail()
    except ValueError as error:
        print(error)
        await asyncio.sleep(0)
    finally:
        await asyncio.sleep(0)
        print("finally")
    return "after"
# run
asyncio.run(f())
