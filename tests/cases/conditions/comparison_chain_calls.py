def f(g):
    return g(1) < g(2) < g(0) < g(5)
# run
f(lambda x: print(x) or x)
