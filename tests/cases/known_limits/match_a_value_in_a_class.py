# since: 3.10
# refused 3.12 3.13 3.14: UNKNOWN_OPERATION
def f(a):
    class C:
        match f:
            case [a.x]:
                pass
