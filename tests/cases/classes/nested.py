class A:
    x = 1
    class B:
        y = 2
        class C:
            def f(self):
                return A.B.y
    z = B.y
# run
A.B.C().f(); A.z; A.B.C.__qualname__
