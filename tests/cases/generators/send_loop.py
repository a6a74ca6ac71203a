def f():
    total = 0
    while True:
        value = yield total
        if value is None:
            break
        total += value
    return total
# run
g = f(); next(g); g.send(2); g.send(3); g.send(None)
