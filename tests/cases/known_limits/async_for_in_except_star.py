# since: 3.11
# refused: STACK_SHAPE
async def f(w):
    try:
        raise
    except* OSError as e:
        async for e in w:
            raise
        else:
            raise
