def f():
    return 1
    x = yield 2
# run
list(f())
