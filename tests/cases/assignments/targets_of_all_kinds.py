class C:
    pass
def f(c, d, items):
    c.a, d["k"], (x, *c.rest), d[0:2] = items
    return vars(c), d, x
# run
f(C(), {}, [1, 2, [3, 4], 5])
