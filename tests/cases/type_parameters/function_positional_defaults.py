# since: 3.12
def f[T](a=1, /, b: T = 2):
    return a, b
# run
f()
