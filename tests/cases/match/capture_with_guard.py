# since: 3.10
def f(x):
    match x:
        case y if y > 10:
            return "large", y
        case z if z > 5:
            return "middle", z
        case w:
            return "small", w
# run
f(11); f(6); f(0)
