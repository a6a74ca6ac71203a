# since: 3.12
def f(a):
    class C:
        raise ValueError(a)

        def g[T]():
            pass

class D:
    b = 1
    if not b and not 1:
        type A = b
# run
f(1)
# expect 3.12 3.13 3.14
def f(a):
    class C:
        if False:
            type _ = None
        raise ValueError(a)


class D:
    if False:
        type _ = None
    b = 1
    if not b:
        pass
