def f(x, xs):
    def outer():
        return x
    return [x for x in xs], outer()
# run
f("outer", [1, 2])
