def f(items, g):
    for item in items:
        if item:
            break
        print(item)
    else:
        g()
# run
f([0, 1, 2], print); f([0, 0], print)
# expect 3.8 3.9 3.10 3.11 3.12 3.13 3.14
def f(items, g):
    for item in items:
        if item:
            return
        print(item)
    g()
