# since: 3.14
def f(any, xs):
    return any(x for x in xs)
# run
f(list, [1]); f(any, [1])
