import contextlib
def f(a):
    with contextlib.suppress(ValueError):
        if a:
            return int(a)
        print("empty")
# run
f("1"); f(""); f("x")
