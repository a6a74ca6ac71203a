# since: 3.14
def f(x):
    return x[1], x[1:2], 255, 256, -1, x[:-1]
# run
f([1, 2, 3])
