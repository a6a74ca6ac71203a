def f(v):
    a, a = not 1 and v, ()
    b, c = 2 or v, "x"
    d, e, b = 1, 0 and v, 3
    return a, b, c, d, e
# run
f(1)
# expect 3.10 3.11 3.12 3.13
def f(v):
    a, a = False and False, ()
    b, c = 2 or 2, "x"
    d, e, b = 1 or 1, 0, 3
    return a, b, c, d, e
# expect 3.14
def f(v):
    a, a = False and v, ()
    b, c = 2, "x"
    d, e, b = 1, 0, 3
    return a, b, c, d, e
