def f():
    global i
    for i in range(3):
        pass
# run
f(); i
