# since: 3.12
def marked(cls):
    cls.mark = True
    return cls
@marked
class Box[T]:
    """doc"""
# run
Box.mark; Box.__doc__
