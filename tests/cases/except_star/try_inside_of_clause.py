# since: 3.11
def f(g, h):
    out = []
    try:
        g()
    except* ValueError as e:
        try:
            out.append(h())
        except ZeroDivisionError as z:
            out.append(str(z))
        finally:
            out.append("finally")
        out.append("end of clause")
    return out
# run
f(int, int); f(lambda: int("x"), int); f(lambda: int("x"), lambda: 1 / 0)
