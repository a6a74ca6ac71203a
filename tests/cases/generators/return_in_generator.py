def f(n):
    while True:
        if n > 2:
            return n
        yield n
        n += 1
# run
list(f(0)); list(f(5))
