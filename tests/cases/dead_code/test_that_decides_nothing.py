def f(a, b, g):
    return [b and 0 or x for x in a], {x: g for x in a if g or 1}, {x for x in a if (g if b and not 1 else x)}


def h(a, b):
    return [a, (lambda: (1 if b and 0 else a, 2)), a if b and 0 else b, 1 or a]
# run
f([1, 2], 3, 4); h(1, 2)[1](); h(1, 0)
# expect 3.8 3.9
def f(a, b, g):
    return [b and 0 or x for x in a], {None if g and False else x: g for x in a}, {x for x in a if (g if b and False else x)}


def h(a, b):
    return [a, lambda: (1 if b and 0 else a, 2), a if b and 0 else b, 1 or a]
# expect 3.10 3.11
def f(a, b, g):
    return [b and 0 or x for x in a], {None if g and False else x: g for x in a}, {x for x in a if True or g if (None if b and False else x)}


def h(a, b):
    return [a, lambda: (None if b and False else a, 2), None if b and False else b, 1]
# expect 3.12 3.13 3.14
def f(a, b, g):
    return [b and 0 or x for x in a], {None if g and False else x: g for x in a}, {x for x in a if (None if b and False else x)}


def h(a, b):
    return [a, lambda: (None if b and False else a, 2), None if b and False else b, 1]
