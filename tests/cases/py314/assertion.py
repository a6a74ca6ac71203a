# since: 3.14
def f(x):
    assert x, "empty"
    raise NotImplementedError
# run
f(0); f(1)
