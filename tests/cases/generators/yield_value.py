def f():
    received = yield 1
    while received:
        print(received)
        received = yield received * 2
    return "done"
# run
g = f(); next(g); g.send(3); g.send(0)
