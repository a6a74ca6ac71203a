def f(g, a):
    g(b := a + 1, b)
    return b
# run
f(print, 3)
