# since: 3.12
def f[T: int](x: T) -> T:
    return x
# run
f.__type_params__[0].__bound__
