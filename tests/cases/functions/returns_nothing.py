def f():
    pass
def g():
    return
def h(a):
    return None
def k():
    ...
# run
f(), g(), h(1), k()
