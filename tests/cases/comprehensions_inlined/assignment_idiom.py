# since: 3.9
def f(xs):
    return [y * y for x in xs for y in [x + 1]]
# run
f([1, 2])
