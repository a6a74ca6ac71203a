def f(kind):
    if kind == 0:
        raise ValueError
    if kind == 1:
        raise ValueError("text", 1)
    if kind == 2:
        raise ValueError from KeyError("k")
    raise ValueError() from None
# run
f(0); f(1); f(2); f(3)
