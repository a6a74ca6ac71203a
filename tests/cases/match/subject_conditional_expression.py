# since: 3.10
def f(x, y):
    match x if y else 3:
        case {"k": _}:
            return 2
        case "x" | 3:
            return 3
# run
f("x", 1); f({"k": 1}, 1); f(0, 0); f(0, 1)
