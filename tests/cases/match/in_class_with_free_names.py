# since: 3.10
def f(a):
    class C:
        match a:
            case [a.x]:
                b = 1
            case a.T(x=a.x):
                b = 2
            case _ if a.y:
                b = 3
    return C.b
# run
f(type("A", (), {"x": 1, "y": 2, "T": int})); f([1])
# expect 3.10 3.11 3.12 3.13 3.14
def f(a):
    class C:
        match a:
            case [a.x]:
                b = 1
            case a.T(x=a.x):
                b = 2
            case _:
                if a.y:
                    b = 3

    return C.b
