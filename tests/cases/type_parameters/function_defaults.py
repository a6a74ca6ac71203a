# since: 3.12
def f[T](a: T, b: T = 1, *, c: T = 2) -> T:
    return a, b, c
# run
f(0); f(0, c=3)
