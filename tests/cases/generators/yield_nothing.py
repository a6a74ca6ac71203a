def f():
    yield
    x = yield
    yield x
# run
g = f(); next(g); next(g); g.send(3)
