def f(low, x, high):
    while low < x <= high:
        x += 1
        print(x)
    return x
# run
f(0, 1, 3); f(2, 2, 3)
