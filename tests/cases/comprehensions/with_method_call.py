class C:
    def __init__(self, items):
        self.items = items
    def f(self, n):
        return [self.g(x, n) for x in self.items if self.g(x, n)]
    def g(self, x, n):
        return x - n
# run
C([1, 2, 3]).f(2)
