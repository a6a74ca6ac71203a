class C:
    pass
def f(c):
    c.a, c.b = 1, 2
    c.a, c.b = c.b, c.a
    return c.a, c.b
# run
f(C())
