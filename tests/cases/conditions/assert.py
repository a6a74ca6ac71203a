def f(a):
    assert a
    return "passed"
# run
f(1); f(0)
