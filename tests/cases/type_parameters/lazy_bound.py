# since: 3.12
def f[T: undefined](x: T):
    return x
# run
f(1); f.__type_params__[0].__bound__
