def f(x, xs):
    del x
    found = [x for x in xs]
    return found
# run
f(1, [2])
