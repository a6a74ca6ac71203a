def f(a, b):
    try:
        try:
            if b():
                return
        except ValueError:
            pass
        else:
            raise IndexError
        a()
    finally:
        raise KeyError


def in_loop(a, b):
    try:
        if b():
            a()
    except ValueError:
        try:
            a()
        except KeyError:
            for b in a:
                return
        a = b
    finally:
        return a
# run
f(int, int); f(int, str); f(int, lambda: int("a")); f(int, lambda: True)
in_loop(int, int); in_loop(int, lambda: int("a")); in_loop(lambda: {}[0], lambda: int("a"))
# expect 3.8 3.9 3.10 3.11 3.12 3.13 3.14
def f(a, b):
    try:
        while True:
            try:
                if b():
                    break
            except ValueError:
                pass
            else:
                raise IndexError
            a()
            break
    finally:
        raise KeyError


def in_loop(a, b):
    try:
        if b():
            a()
    except ValueError:
        try:
            a()
        except KeyError:
            for b in a:
                return
        a = b
    finally:
        return a
