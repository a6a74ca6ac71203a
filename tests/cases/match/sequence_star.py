# since: 3.10
def f(x):
    match x:
        case [a, *rest] if a == 0:
            return a, rest
        case [a, *middle, b, c]:
            return a, middle, b, c
        case [*everything]:
            return everything
# run
f([0, 1]); f([1, 2, 3, 4]); f([1, 2]); f([]); f(1)
