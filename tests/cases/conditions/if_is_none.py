def f(a):
    if a is None:
        return "none"
    if a is not False:
        return "something"
    return "false"
# run
f(None); f(False); f(1)
