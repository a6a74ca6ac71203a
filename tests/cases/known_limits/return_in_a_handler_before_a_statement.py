# refused 3.8 3.9 3.10 3.11 3.12 3.13 3.14: PENDING_OPERANDS
def f(i, k):
    try:
        i = i()
    except:
        try:
            return i
        except:
            pass
    finally:
        k
