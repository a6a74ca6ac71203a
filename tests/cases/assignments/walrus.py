def f(a):
    print(b := a + 1)
    c = (d := b) * 2
    return (e := c) + e, d
# run
f(1)
