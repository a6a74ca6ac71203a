def f(xs):
    return [call() for call in [lambda: x for x in xs]]
# run
f([1, 2])
