# since: 3.12
def f[T: (lambda x: x)](y: T):
    return y
# run
f.__type_params__[0].__bound__(3)
