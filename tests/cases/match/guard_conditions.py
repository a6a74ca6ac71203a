# since: 3.10
def f(x, a, b):
    match x:
        case 1 if a and b:
            return "and"
        case 2 if a or b:
            return "or"
        case 3 if not (a or b):
            return "neither"
        case [p, q] if 0 < p < q:
            return "ordered"
        case n if (m := n) and m != 4:
            return m
    return "end"
# run
f(1, 1, 1); f(1, 1, 0); f(2, 0, 1); f(2, 0, 0); f(3, 0, 0); f(3, 0, 1); f([1, 2], 0, 0); f([2, 1], 0, 0); f(0, 1, 0); f(0, 0, 0)
