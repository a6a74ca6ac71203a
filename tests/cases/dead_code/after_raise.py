def f():
    raise ValueError
    return 2
# run
f()
