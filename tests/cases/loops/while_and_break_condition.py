def f(a, b):
    while a:
        a -= 1
        if a % 2 and b or a > 5:
            break
        b = not b
    return a, b
# run
f(4, 1); f(9, 0); f(3, 0)
