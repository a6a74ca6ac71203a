# refused 3.8 3.9 3.10 3.11 3.12 3.13 3.14: PENDING_OPERANDS
def f(a, k):
    try:
        (w := k) or a
    except ValueError as e:
        pass
    else:
        pass
