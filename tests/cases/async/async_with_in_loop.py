import asyncio
class Log:
    async def __aenter__(self):
        return self
    async def __aexit__(self, *what):
        print("exit")
async def f(items):
    for item in items:
        async with Log():
            if item == 0:
                continue
            if item == 1:
                break
            print(item)
    return "end"
# run
asyncio.run(f([0, 2, 1, 3]))
