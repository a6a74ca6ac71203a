def f():
    global a
    if 0:
        a = 1
b = a
# run
b
