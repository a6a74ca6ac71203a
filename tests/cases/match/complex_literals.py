# since: 3.10
def f(x):
    match x:
        case 1j:
            return 1
        case -1j:
            return 2
        case 1 + 2j:
            return 3
        case -1.5 - 2j:
            return 4
# run
f(1j); f(-1j); f(1 + 2j); f(-1.5 - 2j); f(0)
