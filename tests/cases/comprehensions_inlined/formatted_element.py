def f(xs):
    return [f"{x!r}-{x:>3}" for x in xs]
# run
f(["a"])
