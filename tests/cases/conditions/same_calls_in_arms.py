def f(a, g):
    if a:
        g("a")
        g("end")
    else:
        g("b")
        g("end")
    return a
# run
f(0, print); f(1, print)
