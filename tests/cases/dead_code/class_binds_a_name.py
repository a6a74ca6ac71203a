def f(a):
    class C:
        raise a
        a = 1
# run
f(1)
