x = "global"
def f():
    x = "outer"
    def g():
        global x
        x = "changed"
        return x
    def h():
        nonlocal x
        x = "inner"
    g()
    h()
    return x
# run
f(); x
