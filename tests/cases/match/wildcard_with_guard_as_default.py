# since: 3.10
def f(x, a):
    match x:
        case [b]:
            x = b
        case _ if a > 1:
            x = "else"
    return x, a, (a, x)
# run
f(1, 1); f([2], 1); f(2, 2)
# expect 3.10
def f(x, a):
    match x:
        case [b]:
            x = b
        case _:
            if a > 1:
                x = "else"
    return x, a, (a, x)
