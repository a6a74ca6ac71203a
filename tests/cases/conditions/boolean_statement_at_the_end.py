def f(a, b):
    a() or b()


def g(a, b, c):
    a() and b() or c()


def h(future):
    try:
        return future()
    finally:
        future() or future(1)


def k(a, b):
    a() and b()
    raise ValueError("end")
# run
f(int, str); f(str, int); f(lambda: 1, None)
g(int, None, print); g(lambda: 1, print, print)
h(print); h(int)
k(print, None); k(lambda: 1, print)
