# since: 3.12
def f(x):
    def g[T](y: T = x) -> T:
        return x, y
    return g
# run
f(1)()
