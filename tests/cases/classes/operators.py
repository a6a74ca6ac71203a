import functools
@functools.total_ordering
class V:
    __slots__ = ("x", "y")
    def __init__(self, x=0, y=0):
        self.x = x
        self.y = y
    def __eq__(self, other):
        return isinstance(other, V) and (self.x, self.y) == (other.x, other.y)
    def __lt__(self, other):
        if not isinstance(other, V):
            return NotImplemented
        return self.x < other.x or self.x == other.x and self.y < other.y
    def __add__(self, other):
        return V(self.x + other.x, self.y + other.y)
    def __iter__(self):
        yield self.x
        yield self.y
    def __getitem__(self, i):
        return (self.x, self.y)[i]
    def __repr__(self):
        return f"V({self.x!r}, {self.y!r})"
    __hash__ = None
# run
V(1, 2) + V(3); V(1) < V(1, 1); V(2) >= V(1); list(V(1, 2)); V(1)[0]; V(1) == 1; V(1) < 1
