# since: 3.10
def f(x):
    match x:
        case 0:
            y = None
        case y:
            print("captured")
    return y
# run
f(0); f(1)
