def f(xs):
    return ", ".join([str(x) for x in xs]), [x for x in xs].count(1)
# run
f([1, 2])
