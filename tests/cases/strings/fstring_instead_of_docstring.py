def f():
    f"""Not a docstring"""


def g():
    f"""Not a docstring"""
    return 1
# run
f.__doc__; g.__doc__; f(); g()
# expect 3.10 3.11
def f():
    match "Not a docstring":
        case _:
            pass


def g():
    match "Not a docstring":
        case _:
            pass
    return 1
# expect 3.12 3.13 3.14
def f():
    pass


def g():
    return 1
