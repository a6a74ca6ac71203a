# since: 3.14
def f(x, y):
    return t"plain", t"{x}", t"a{x}b{y!r}c", t"{x:>5}", t"{x!s:{y}}", t""
# run
[list(template) for template in f("x", 5)]
