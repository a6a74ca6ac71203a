# since: 3.10
async def f(xs):
    match [x async for x in xs]:
        case []:
            return "none"
        case [x]:
            return x
    return "more"
# run
f
