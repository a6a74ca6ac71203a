def f(a):
    if a:
        x = 1
    return x
# run
f(1); f(0)
