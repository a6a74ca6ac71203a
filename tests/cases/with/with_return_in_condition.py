import contextlib
def f(a, g):
    with contextlib.suppress(ValueError) as nothing:
        if a:
            return g(a)
        elif a is None:
            raise ValueError
        g(nothing)
    return "after"
# run
f(1, str); f(0, print); f(None, print); f("x", int)
