def f(xs, *rest):
    return print([x for x in xs], *[x for x in xs], sep=str({x for x in rest}))
# run
f([1, 2], 3)
