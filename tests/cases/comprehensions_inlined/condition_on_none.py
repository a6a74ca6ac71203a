def f(xs):
    return [x for x in xs if x is not None], [x for x in xs if x is None]
# run
f([1, None])
