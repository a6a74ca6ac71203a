# since: 3.11
def f(a, b):
    try:
        a()
    except* ValueError:
        raise b
    except* KeyError as e:
        if e:
            raise b
        else:
            raise
    else:
        raise b
    return a


def g(a):
    while a:
        try:
            a.pop()()
        except* ValueError:
            raise
        else:
            a = []
# run
f(int, KeyError())
f(lambda: int("a"), KeyError())
g([int, int])
