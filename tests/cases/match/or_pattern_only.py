# since: 3.10
def f(x):
    match x:
        case 1 | 2 | 3:
            return True
# run
f(1); f(3); f(4)
