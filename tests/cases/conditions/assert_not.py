def f(a, b):
    assert not a
    assert a is not b, "same"
    assert a in b
# run
f(1, 2); f(0, 0); f(0, [0]); f(0, [1])
