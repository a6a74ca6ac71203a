def f(a, b):
    class C:
        try:
            raise ValueError
        finally:
            [b, a] = a

        def g():
            return a != b
# run
f([1, 2], 3)
