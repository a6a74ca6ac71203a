class C:
    x = 1
def f(c):
    c.x += 1
    c.x *= c.x
    return c.x
# run
f(C())
