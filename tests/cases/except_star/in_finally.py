# since: 3.11
def f(g, h):
    out = []
    try:
        g()
    finally:
        try:
            h()
        except* ValueError as e:
            out.append("value")
        print(out)
    return out
# run
f(int, int); f(int, lambda: int("x"))
f(lambda: 1 / 0, lambda: int("x"))
