global x
x = 1
def f():
    return x
# run
f()
