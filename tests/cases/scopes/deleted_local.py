def f(a):
    x = 1
    if a:
        del x
    return x
# run
f(0); f(1)
