def f(n):
    total = 0
    while n > 0:
        total += n
        n -= 1
    return total
# run
f(0); f(5)
