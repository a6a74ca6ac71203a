# since: 3.14
def f(kind):
    def g(x: kind) -> kind:
        return x
    return g
# run
f(int).__annotations__
