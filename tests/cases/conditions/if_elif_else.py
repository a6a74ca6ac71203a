def f(a):
    if a == 1:
        b = "one"
    elif a == 2:
        b = "two"
    elif a == 3:
        b = "three"
    else:
        b = "many"
    return b
# run
f(1); f(2); f(3); f(4)
