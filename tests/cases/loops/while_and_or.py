def f(a, b, c):
    count = 0
    while a > 0 and (b > 0 or c > 0):
        count += 1
        a -= 1
        b -= 2
        c -= 3
    return count
# run
f(5, 2, 9); f(0, 1, 1); f(9, 1, 1)
