def f(a, b, c):
    d, e = (w := a), b
    d, e = (w := d), (v := max(b, c))
    a, b, c = d, (w := e or v), b
    return a, b, c, d, e, v, w
# run
f(1, 2, 3); f(0, 0, 0)
