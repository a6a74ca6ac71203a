def f(before, count):
    try:
        yield
    finally:
        while True:
            now = count()
            if now <= before:
                break
            if now > 99:
                raise AssertionError(now)
            now.sleep()
