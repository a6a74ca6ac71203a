# since: 3.14
def f(x):
    try:
        return 1 // x
    except ZeroDivisionError, TypeError:
        return str(x)
# run
f(0); f("x"); f(1)
