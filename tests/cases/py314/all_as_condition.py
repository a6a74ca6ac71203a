# since: 3.14
def f(xs):
    if all(x for x in xs):
        return "all"
    while not any(xs.pop() for _ in xs):
        pass
    return xs
# run
f([1]); f([1, 0, 2, 0])
