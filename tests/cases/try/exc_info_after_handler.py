import sys
def f(g):
    try:
        g()
    except ValueError:
        print(sys.exc_info()[0])
    return sys.exc_info()
# run
f(int); f(lambda: int("x"))
