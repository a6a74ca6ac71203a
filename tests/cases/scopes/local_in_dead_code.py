x = "global"
def f():
    if 0:
        x = 1
    return x
# run
f()
