def f(xs):
    return [dict(a=x, **{"b": x}) for x in xs]
# run
f([1])
