# since: 3.10
def f(x):
    match x:
        case 1 | 2:
            y = "few"
        case [*_]:
            y = "list"
        case _:
            y = "else"
    return y * 2
# run
f(1); f(2); f([]); f(None)
