def f(a, b):
    while a or b:
        print(a, b)
        a, b = b, 0
# run
f(2, 3); f(0, 0)
