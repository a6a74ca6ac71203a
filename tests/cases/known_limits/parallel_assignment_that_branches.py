# refused 3.8 3.9 3.10 3.11 3.12 3.13 3.14: STACK_SHAPE
def f(a, h):
    a, a[h and a] = a, a
