# since: 3.11
import contextlib
def f(g):
    with contextlib.suppress(ZeroDivisionError):
        try:
            g()
        except* ValueError:
            with contextlib.nullcontext("value") as c:
                print(c)
            1 / 0
        print("after")
    return "end"
# run
f(int); f(lambda: int("x"))
