total = 1
def f():
    global total
    total += 1
    return total
# run
f(); f(); total
