# since: 3.10
def f(x):
    match x:
        case ((1 | 2) | 3) | [4 | [5 | 6]] if x:
            return "found"
# run
f(1)
f(3); f([4]); f([[6]]); f([7])
