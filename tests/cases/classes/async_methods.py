import asyncio
class C:
    async def f(self):
        return [x async for x in self.g()]
    async def g(self):
        yield 1
        yield 2
# run
asyncio.run(C().f())
