def f(n, opened):
    while n > 0:
        while True:
            try:
                with opened() as a:
                    a.read()
                break
            except ValueError:
                pass
            if n > 8:
                raise ValueError(n)
            n += 1
        n -= 2
    return n
