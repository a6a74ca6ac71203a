# since: 3.12
def f[T](x):
    return T.__name__, x
# run
f(1)
