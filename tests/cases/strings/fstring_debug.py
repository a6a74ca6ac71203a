def f(a):
    return f"{a=}", f"{a + 1 = }", f"{a=!s:>4}"
# run
f(1)
