def by_with(a):
    try:
        a()
    finally:
        with a:
            return a
    raise KeyError


def by_except(a):
    try:
        a()
    finally:
        try:
            return a.x
        except AttributeError:
            pass
    raise KeyError
# run
by_with(int); by_with(open("/dev/null"))
by_except(int)
