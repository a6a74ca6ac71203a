# since: 3.12
def f[T, *Ts, **P](x: T, *args: *Ts) -> P:
    return x, args
# run
f(1, 2); f.__type_params__; f.__annotations__
