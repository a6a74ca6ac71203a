def f(a, *b):
    if not a:
        raise AssertionError(*b)
# run
f(1)
f(0, 2, 3)
