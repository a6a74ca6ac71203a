counter = 0
def f():
    global counter
    counter = counter + 1
    return counter
def g():
    global made
    made = 1
# run
f(); f(); counter; g(); made
