# since: 3.14
def f(xs):
    a, *b = tuple(x * 2 for x in xs)
    return a, b, tuple(xs)
# run
f([1, 2])
