# since: 3.10
class Point:
    __match_args__ = ("x", "y")
    def __init__(self, x, y):
        self.x = x
        self.y = y
def f(p):
    match p:
        case Point(1, y=y):
            return y
        case Point(x=x, y=[y, *_]):
            return x, y
        case Point(x=_, y=2):
            return "two"
# run
f(Point(1, 2)); f(Point(2, [3, 4])); f(Point(3, 2)); f(Point(3, 3))
