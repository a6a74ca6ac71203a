class C:
    pass
def f():
    c = C()
    c.x = 1
    c.y = c.z = c.x
    c.x.real
    return vars(c)
# run
f()
