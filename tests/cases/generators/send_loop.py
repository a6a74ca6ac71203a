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
# expect 3.10 3.12 3.13 3.14
def f():
    total = 0
    while True:
        value = yield total
        if value is None:
            return total
        total += value
