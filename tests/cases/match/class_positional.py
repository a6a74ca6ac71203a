# since: 3.10
class Point:
    __match_args__ = ("x", "y")
    def __init__(self, x, y):
        self.x = x
        self.y = y
def f(p):
    match p:
        case Point(0, 0):
            return "origin"
        case Point(x, 0) | Point(0, x):
            return "axis", x
        case Point(Point(x, _), _):
            return "inner", x
        case Point():
            return "point"
# run
f(Point(0, 0)); f(Point(1, 0)); f(Point(0, 2)); f(Point(Point(3, 4), 5)); f(Point(6, 7)); f(8)
