def f(a):
    return "x" f"{a}" "y" f"{a}z"
# run
f(1)
