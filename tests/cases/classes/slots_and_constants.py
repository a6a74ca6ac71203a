class C:
    __slots__ = ("a", "b")
    A, B = range(2)
    C = D = A + B
# run
C.__slots__; C.A; C.B; C.C; C.D
