def f(a):
    if a == 1:
        return "one"
    elif a == 2:
        return "two"
    elif a == 3:
        raise ValueError
    return "many"
# run
f(1); f(2); f(3); f(4)
