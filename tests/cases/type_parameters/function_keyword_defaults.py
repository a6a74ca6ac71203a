# since: 3.12
def f[T](*args, c: T = 2, d):
    return args, c, d
# run
f(1, d=3)
