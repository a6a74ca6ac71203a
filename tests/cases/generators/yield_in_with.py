import contextlib
def f():
    with contextlib.suppress(ValueError):
        yield 1
        yield 2
    yield 3
# run
list(f()); g = f(); next(g); g.throw(ValueError)
