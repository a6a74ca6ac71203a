class C:
    pass
class D(C):
    x = 1
# run
D().x; D.__mro__; C.__name__; C.__qualname__
