# since: 3.14
def f(xs):
    return any(x > 1 for x in xs)
# run
f([1, 2]); f([])
