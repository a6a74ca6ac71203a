class C:
    pass
def f(c, d):
    c.x: int = 1
    d["k"]: str = 2
    return c.x, d
# run
f(C(), {})
