def f(n):
    while n:
        m = n
        while m:
            m -= 1
            if m == 2:
                break
        else:
            print("empty", n)
        n -= 1
    return m
# run
f(4)
