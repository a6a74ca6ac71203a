# since: 3.10
def f(x):
    match x:
        case [1, *_]:
            return "starts"
        case [*_, 2]:
            return "ends"
        case [a, *_, b, 3, c]:
            return a, b, c
        case [_, _, *_]:
            return "two or more"
        case [*_]:
            return "any"
# run
f([1]); f([0, 2]); f([5, 0, 6, 3, 7]); f([8, 8]); f([8]); f(8)
