def f(a, b, c):
    while a < b < c and c:
        a += 1
        if a == 5:
            return a
    return b
# run
f(1, 3, 9); f(1, 9, 10)
