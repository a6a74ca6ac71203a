# since: 3.10
def f(a, c, d):
    match a:
        case 1 if c or d or 10:
            return c
        case [2] if c and 0:
            return d
        case [3, b] if c and d or 1:
            return b
        case [4]:
            return 4
    return a

def g(a, c):
    match a < c < 3:
        case _ if a:
            return c
        case 0:
            return a
# run
f(1, 0, 0); f([2], 1, 2); f([3, 4], 0, 0); f([4], 1, 1); g(0, 1); g(1, 2); g(4, 5)
# expect 3.10 3.11 3.12 3.13 3.14
def f(a, c, d):
    match a:
        case 1 if c or d or True:
            return c
        case [2] if c and False:
            pass
        case [3, b] if c and d or True:
            return b
        case [4]:
            return 4
    return a


def g(a, c):
    match a < c < 3:
        case _ if a:
            return c
        case 0:
            return a
