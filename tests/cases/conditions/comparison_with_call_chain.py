def f(x):
    if 0 <= x.real < 10 and not x.imag:
        return "digit"
    return "other"
# run
f(3); f(30); f(3j)
