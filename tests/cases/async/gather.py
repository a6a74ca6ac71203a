import asyncio
async def work(n, log):
    try:
        async with asyncio.Lock():
            for i in range(n):
                await asyncio.sleep(0)
                if i == 2:
                    raise ValueError(i)
                log.append(i)
    except ValueError as error:
        return str(error)
    else:
        return "fine"
    finally:
        log.append("finally")
async def main():
    log = []
    results = [await work(n, log) for n in (1, 4)]
    return results, log
# run
asyncio.run(main())
# expect 3.8 3.9 3.10 3.11 3.12 3.13 3.14
import asyncio


async def work(n, log):
    try:
        async with asyncio.Lock():
            for i in range(n):
                await asyncio.sleep(0)
                if i == 2:
                    raise ValueError(i)
                log.append(i)
    except ValueError as error:
        return str(error)
    finally:
        log.append("finally")
    return "fine"


async def main():
    log = []
    results = [await work(n, log) for n in (1, 4)]
    return results, log
