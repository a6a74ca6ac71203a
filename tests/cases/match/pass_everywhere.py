# since: 3.10
def f(x):
    match x:
        case [1]:
            pass
        case {"a": _}:
            pass
        case _:
            x = 0
    return x
# run
f([1]); f({"a": 1}); f(2)
