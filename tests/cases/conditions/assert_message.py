def f(a, b):
    assert a or b, f"{a} and {b}"
    assert a and b, (a, b)
    return "passed"
# run
f(1, 1); f(0, 0); f(1, 0)
