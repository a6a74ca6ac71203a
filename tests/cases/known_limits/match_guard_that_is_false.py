# since: 3.10
# refused 3.12 3.13: CONTROL_FLOW
def f(a, k):
    match a:
        case str() as p:
            pass
        case [] if ():
            pass
        case _:
            assert k
# expect 3.10 3.11
def f(a, k):
    match a:
        case str() as p:
            return
        case []:
            pass
    assert k
