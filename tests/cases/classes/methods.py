class C:
    """A class."""
    count = 0
    def __init__(self, x):
        self.x = x
    def double(self):
        return self.x * 2
    def __repr__(self):
        return f"C({self.x})"
# run
C(3).double(); C(4); C.__doc__
