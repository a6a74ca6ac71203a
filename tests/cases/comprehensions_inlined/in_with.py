import contextlib
def f(xs):
    with contextlib.suppress(ZeroDivisionError):
        return [1 // x for x in xs]
    return "suppressed"
# run
f([1]); f([0])
