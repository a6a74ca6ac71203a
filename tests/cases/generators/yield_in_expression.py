def f(g):
    g((yield 1), (yield 2))
    x = [(yield 3), (yield 4)]
    return x
# run
list(f(print))
