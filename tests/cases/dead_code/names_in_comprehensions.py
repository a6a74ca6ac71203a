def f(a, b, c):
    return [a for x in c if x and not 1 for y in b if a], {x for x in c if "t" or b}, list(x for x in c if "" or a)


def g(a):
    generator = lambda: 0 and (yield)
    named = lambda: (0 and (w := 1), a)
    capturing = lambda b: "x" if 0 else (lambda: (0 and b) or a)
    return generator, named, capturing(1)


def h():
    def inner():
        return outer

    return inner
    outer = 1
# run
f([1], [2], [3]); g(2)[1](); g(2)[2](); h()()
# expect 3.10 3.11
def f(a, b, c):
    return [None for x in c if True or a or b if x if False], {x for x in c if "t" or b}, list(x for x in c if "" or True if a)


def g(a):
    generator = lambda: 0 if True or (yield) else None
    named = lambda: (0, a)
    capturing = lambda b: lambda: 0 or a if True or b else None
    return generator, named, capturing(1)


def h():
    if False:
        outer = None

    def inner():
        return outer

    return inner
# expect 3.12 3.13
def f(a, b, c):
    return [None for x in c if x if False for y in ()], {x for x in c}, list(x for x in c if "" or True if a)


def g(a):
    generator = lambda: 0 if True or (yield) else None
    named = lambda: (0, a)
    capturing = lambda b: lambda: 0 or a if True or b else None
    return generator, named, capturing(1)


def h():
    if False:
        outer = None

    def inner():
        return outer

    return inner
# expect 3.14
def f(a, b, c):
    return [None for x in c if x if False for y in ()], {x for x in c}, list(x for x in c if a)


def g(a):
    generator = lambda: 0 if True or (yield) else None
    named = lambda: (0, a)
    capturing = lambda b: lambda: 0 or a if True or b else None
    return generator, named, capturing(1)


def h():
    if False:
        outer = None

    def inner():
        return outer

    return inner
