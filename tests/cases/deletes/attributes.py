class C:
    pass
def f(c):
    c.x = c.y = 1
    del c.x
    return vars(c)
# run
f(C())
