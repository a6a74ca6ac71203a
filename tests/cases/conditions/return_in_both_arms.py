def f(a):
    if a:
        return "yes"
    else:
        return "no"
# run
f(0); f(1)
