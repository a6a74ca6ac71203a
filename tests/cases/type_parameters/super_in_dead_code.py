# since: 3.12
class C:
    def f(a):
        type A[T: (1 or super())] = 2 or super() or a
        return A.__value__, A.__type_params__[0].__bound__
# run
C().f()
# expect 3.12 3.13
class C:
    def f(a):
        type A[T: 1 if True or __class__ else None] = 2 if True or __class__ or a else None
        return A.__value__, A.__type_params__[0].__bound__
# expect 3.14
class C:
    if False:
        type _ = None

    def f(a):
        type A[T: 1 if True or __class__ else None] = 2 if True or __class__ or a else None
        return A.__value__, A.__type_params__[0].__bound__
