# since: 3.14
import contextlib
def f(a, b):
    with contextlib.nullcontext(a) as x, contextlib.suppress(ValueError):
        if b:
            return x
        raise ValueError
    return "after"
# run
f(1, 2); f(1, 0)
