def f(a):
    if (n := len(a)) > 2:
        return n
    return -n
# run
f("abc"); f("a")
