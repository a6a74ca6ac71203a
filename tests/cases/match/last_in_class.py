# since: 3.10
class C:
    def f(self):
        return __class__
    match [1, 2]:
        case [a, 2]:
            b = a
        case [a, *_]:
            b = 3
# run
C().f(), C.b
