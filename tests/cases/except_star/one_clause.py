# since: 3.11
def f(g):
    try:
        g()
    except* ValueError:
        return_value = "value"
    else:
        return_value = "none"
    return return_value
# run
f(int); f(lambda: int("x")); f(lambda: [][0])
