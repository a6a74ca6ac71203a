x = "global"
def f(xs):
    return [x for x in xs], x
# run
f([1, 2])
