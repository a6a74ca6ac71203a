def f(x):
    def inner(xs):
        return [x for x in xs]
    return inner([1, 2]), x
# run
f("outer")
