# refused 3.14: STACK_SHAPE
def f():
    a, a = 1, 2
    return a
# run
f()
