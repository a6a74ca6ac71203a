def f(items, g):
    for item in items:
        if item:
            break
        print(item)
    else:
        g()
# run
f([0, 1, 2], print); f([0, 0], print)
