def f(a, b):
    c = (d := -1)
    e = a.x = (g := 2 * 3)
    h = (i := not a in b)
    return c, d, e, g, h, i
# run
f(type("T", (), {}), [])
# expect 3.10 3.11 3.12 3.13 3.14
def f(a, b):
    d = c = -1
    g = e = a.x = 6
    i = h = a not in b
    return c, d, e, g, h, i
