def f():
    if True:
        return 1
    return 2
def g():
    if 1:
        x = 1
    else:
        x = 2
    return x
# run
f(); g()
