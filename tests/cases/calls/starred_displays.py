def f(a, b):
    return a(*(b,), k=b), a(*(3,), k=b), a(*(), k=b), a(*(1, 2), **b), a(1, *(2,), **{"k": 3})
# run
f(lambda *a, **b: (a, b), {"x": 1})
# expect 3.9 3.10 3.11 3.12 3.13 3.14
def f(a, b):
    return a(*(b,), k=b), a(*(3,), k=b), a(*(), k=b), a(1, 2, **b), a(1, *(2,), **{"k": 3})
# expect 3.8
def f(a, b):
    return a(b, **{"k": b}), a(3, **{"k": b}), a(**{"k": b}), a(1, 2, **b), a(1, *(2,), k=3)
