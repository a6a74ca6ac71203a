# refused 3.8 3.9 3.10 3.11 3.12 3.13 3.14: NOT_PROVED
def f(a, i):
    try:
        a = a()
    except a as e:
        return i
    finally:
        raise
