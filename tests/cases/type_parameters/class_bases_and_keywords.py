# since: 3.12
class Base:
    def __init_subclass__(cls, mark=None):
        cls.mark = mark
class Box[T](Base, mark=1):
    pass
# run
Box.mark; Box.__orig_bases__
