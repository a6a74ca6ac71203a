def f():
    raise
# run
f()
