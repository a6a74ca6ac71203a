# since: 3.10
def f(x):
    match x:
        case 0 as zero:
            return zero
# run
f(0); f(1)
