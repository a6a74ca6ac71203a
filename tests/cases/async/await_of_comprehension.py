async def f(xs):
    a = await {x: 1 for x in xs}
    b = await {x async for x in xs}
    c = await [x async for x in xs]
    return a, b, c
# run
f([1]).send(None)
