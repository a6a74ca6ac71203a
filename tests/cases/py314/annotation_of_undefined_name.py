# since: 3.14
def f(a: undefined) -> also.undefined:
    return a
# run
f(1); f.__annotations__
