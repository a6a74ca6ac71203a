def f(n):
    while n > 0:
        for i in range(n):
            if i == 2:
                break
        else:
            return "small"
        n -= 1
    return "none"
# run
f(5); f(2); f(0)
