def f(x, xs):
    def outer():
        return x
    return [lambda: x for x in xs][0](), outer()
# run
f("outer", [1, 2])
