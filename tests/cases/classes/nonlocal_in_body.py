def f():
    x = 1
    class C:
        nonlocal x
        x = 2
        y = x
    return x, C.y
# run
f()
