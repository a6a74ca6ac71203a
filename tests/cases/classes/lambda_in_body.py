class C:
    key = lambda self: self.x
    other = staticmethod(lambda a, b=1: (a, b))
    x = 4
# run
C().key(); C.other(2)
