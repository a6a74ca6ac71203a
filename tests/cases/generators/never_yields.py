def f():
    return
    yield
# run
list(f())
