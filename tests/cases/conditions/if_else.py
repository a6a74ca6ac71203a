def f(a):
    if a:
        b = 1
    else:
        b = 2
    return b
# run
f(0); f(1)
