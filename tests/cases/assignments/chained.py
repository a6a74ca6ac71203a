def f(g):
    a = b = c = g()
    return a, b, c
# run
f(list)
