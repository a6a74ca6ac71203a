def f(g):
    g
    g()
    g.x
    g[0]
    -g
# run
f(1)
