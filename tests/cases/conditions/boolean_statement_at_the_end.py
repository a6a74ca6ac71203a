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

def in_try(a, b):
    try:
        a() or b()
    except ValueError:
        print("value")


def in_try_in_loop(functions, b):
    for function in functions:
        try:
            function() or b()
        except ValueError:
            print("value")
# run
in_try_in_loop([int, str, lambda: 1, lambda: int("x")], print)
in_try(int, print); in_try(lambda: 1, print); in_try(lambda: int("x"), print)
f(int, str); f(str, int); f(lambda: 1, None)
g(int, None, print); g(lambda: 1, print, print)
h(print); h(int)
k(print, None); k(lambda: 1, print)
