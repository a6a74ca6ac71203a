def f(a):
    [a][0]: int
    a.b: int
    return a
# run
f(1)
# expect 3.10 3.11
def f(a):
    [a]
    match 0:
        case _:
            pass
    a
    return a
