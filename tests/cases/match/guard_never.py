# since: 3.10
def f(x):
    match x:
        case 0 if False:
            return "never"
        case 0:
            return "zero"
# run
f(0); f(1)
# expect
def f(x):
    match x:
        case 0 if False:
            pass
        case 0:
            return "zero"
