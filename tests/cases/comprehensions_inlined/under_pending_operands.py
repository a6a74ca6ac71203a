def f(xs, n):
    return n + len([x for x in xs]) * 2 < max([x for x in xs], default=0)
# run
f([1, 2], 3); f([99], 1)
