def f(a):
    if a == 1:
        x = "one"
    elif a == 2:
        x = "two"
    else:
        raise ValueError(a)
    return x
# run
f(1); f(2); f(3)
