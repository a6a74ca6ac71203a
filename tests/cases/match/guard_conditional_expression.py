# since: 3.10
def f(x, a, b, c):
    match x:
        case [n] if (a if b else c):
            return n
    return "end"
# run
f([1], 1, 1, 0); f([1], 0, 1, 0); f([1], 0, 0, 1)
