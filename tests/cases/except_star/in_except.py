# since: 3.11
def f(g, h):
    try:
        g()
    except ZeroDivisionError as e:
        try:
            h()
        except* ValueError:
            return_value = "value"
        else:
            return_value = "else"
        return return_value, str(e)
    return "none"
# run
f(int, int); f(lambda: 1 / 0, int); f(lambda: 1 / 0, lambda: int("x"))
