# since: 3.10
def f(x):
    match x:
        case [y] | y:
            return y
# run
f([1]); f(2)
