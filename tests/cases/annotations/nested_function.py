def f(kind):
    def g(a: kind, b: kind = 1) -> kind:
        return a, b
    return g
# run
f(int)(1); f(str).__annotations__
