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
# expect 3.8 3.9 3.10 3.11 3.12 3.13 3.14
def f(n):
    while n:
        n -= 1
        if n == 3:
            return n
    return "drained"
