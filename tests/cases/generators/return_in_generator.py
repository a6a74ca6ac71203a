def f(n):
    while True:
        if n > 2:
            return n
        yield n
        n += 1
# run
list(f(0)); list(f(5))
# expect 3.8 3.9 3.10 3.11 3.12 3.13 3.14
def f(n):
    while not n > 2:
        yield n
        n += 1
    return n
