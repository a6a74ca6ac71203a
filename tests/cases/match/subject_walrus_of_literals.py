# since: 3.10
def f(x):
    match (y := x + 1):
        case 1:
            return y
        case 2:
            return -y
# run
f(0); f(1); f(2)
