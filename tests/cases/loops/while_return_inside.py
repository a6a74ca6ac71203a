def f(n):
    while n:
        if n == 3:
            return "three"
        n -= 1
    return "none"
# run
f(5); f(2)
