# since: 3.10
class Color:
    RED = 1
    BLUE = 2
def f(x):
    match x:
        case Color.RED:
            return "red"
        case Color.BLUE:
            return "blue"
    return "none"
# run
f(1); f(2); f(3)
