def f(n):
    while n:
        n -= 1
        if n % 2:
            continue
        print(n)
    return "done"
# run
f(5)
