# since: 3.10
def f(x):
    match x:
        case ((0 as y) as z):
            return y, z
# run
f(0); f(1)
