class Point:
    pass


class AttributeOfName:
    Point.x: int = 0


class Parenthesised:
    (name): str = "n"


class NoValue:
    Point.y: int


def own_cell():
    class OwnCell:
        __classcell__ = 42

    return OwnCell


def local(point):
    point.z: int = 3
    (other): str = "o"
    return point.z, other
# run
Point.x; Parenthesised.name; Parenthesised.__dict__.get("__annotations__", {}); local(Point)
own_cell()
# expect 3.8 3.9 3.10 3.11 3.12 3.13
class Point:
    pass


class AttributeOfName:
    Point.x: int = 0


class Parenthesised:
    (name): str = "n"


class NoValue:
    if False:
        _: None
    Point
    int


def own_cell():
    class OwnCell:
        __classcell__ = 42

    return OwnCell


def local(point):
    point.z = 3
    other = "o"
    return point.z, other
# expect 3.14
class Point:
    pass


class AttributeOfName:
    if False:
        type _ = None
    Point.x = 0


class Parenthesised:
    if False:
        type _ = None
    name = "n"


class NoValue:
    if False:
        type _ = None
    Point


def own_cell():
    class OwnCell:
        __classcell__ = 42

    return OwnCell


def local(point):
    point.z = 3
    other = "o"
    return point.z, other
