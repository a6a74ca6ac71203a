def f(xs):
    [print(x) for x in xs]
# run
f([1, 2])
