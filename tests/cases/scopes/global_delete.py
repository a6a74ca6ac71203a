x = 1
def f():
    global x
    del x
# run
f(); x
