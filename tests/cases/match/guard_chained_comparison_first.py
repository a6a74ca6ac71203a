# since: 3.10
def f(x, a):
    match x:
        case n if 0 < a < 3:
            return n
        case [1]:
            return "list"
# run
f(1, 1); f([1], 0); f([1], 5); f(2, 5)
