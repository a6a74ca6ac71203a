def f(a, i):
    try:
        a = a()
    except a as e:
        return i
    finally:
        raise
