def f(g):
    a, b = g(1), g(2)
    return a - b
# run
f(lambda x: print(x) or x)
