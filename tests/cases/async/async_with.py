import asyncio
class Log:
    async def __aenter__(self):
        return "value"
    async def __aexit__(self, *what):
        print("exit", what[0])
async def f(g):
    async with Log() as value:
        g(value)
    return "after"
# run
asyncio.run(f(print)); asyncio.run(f(1))
