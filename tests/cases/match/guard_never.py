# since: 3.10
def f(x):
    match x:
        case 0 if False:
            return "never"
        case 0:
            return "zero"
# run
f(0); f(1)
# expect 3.10 3.11 3.12 3.13 3.14
def f(x):
    match x:
        case 0 if False:
            pass
        case 0:
            return "zero"
