def f(xs):
    if [x for x in xs if x]:
        return "some"
    return "none"
# run
f([0, 1]); f([0])
