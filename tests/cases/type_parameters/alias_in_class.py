# since: 3.12
class C:
    x = int
    type X = x
    type Y[T] = dict[T, C]
# run
C.X.__value__; C.Y.__value__
