def f(a, b):
    while not (a or b):
        a += 1
        print(a)
    return a, b
# run
f(0, 0); f(1, 0); f(0, 1)
