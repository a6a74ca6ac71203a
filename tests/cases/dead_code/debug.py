def f(a):
    if __debug__:
        print("debug", a)
    return a
# run
f(1)
