def f(n):
    while n:
        n -= 1
        if n == 3:
            break
    else:
        return "drained"
    return n
# run
f(0); f(5); f(2)
