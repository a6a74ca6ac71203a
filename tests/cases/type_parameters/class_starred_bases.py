# since: 3.12
bases = (list,)
class Box[T](*bases, **{}):
    pass
# run
Box.__mro__
