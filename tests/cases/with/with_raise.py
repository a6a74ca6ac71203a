import contextlib
def f(a):
    with contextlib.suppress(ValueError):
        raise a
    return "suppressed"
# run
f(ValueError); f(KeyError)
