def f():
    return 1 / 0
def g():
    return "a" + 1
def h():
    return -"a"
# run
f(); g(); h()
