import asyncio
class Log:
    async def __aenter__(self):
        return "value"
    async def __aexit__(self, *what):
        print("exit", what[0])
async def f(g):
    async with Log():
        return g()
# run
asyncio.run(f(int)); asyncio.run(f(1))
