w = "global"
def f(w):
    def g():
        global w
        return w
    def h():
        return w
    return g(), h()
# run
f("local")
