"""Random statements that hold no others."""

from __future__ import annotations

from fuzzing.expressions import condition, expression, items, operand, percent
from fuzzing.place import (
    ASYNC_GENERATOR,
    ATTRIBUTES,
    CLASS,
    GENERATOR,
    MODULE,
    VARIABLES,
    Grower,
    Place,
    Table,
    one_expression,
)

STATEMENTS = Table()
OPERATORS = ["+=", "-=", "*=", "@=", "/=", "//=", "%=", "**=", "<<=", ">>=", "&=", "^=", "|="]
SHALLOW = 3


def value(grower: Grower, place: Place) -> str:
    """An expression on the right of a statement: not as deep as blocks may be."""
    return one_expression(expression(grower, place._replace(depth=min(place.depth, SHALLOW))))


def values(grower: Grower, place: Place) -> str:
    """An expression, or several that make a tuple."""
    if grower.chance(0.25):
        written = items(grower, place._replace(depth=min(place.depth, 2)), 1, 4)
        return f"({written})" if "\n" in written else written or "()"
    return value(grower, place)


def target(grower: Grower, place: Place, depth: int = 1) -> str:
    """What an assignment binds."""
    if depth and grower.chance(0.25):
        return unpacked(grower, place, depth - 1)
    shallow = place._replace(depth=min(place.depth, 1))
    choice = grower.random.random()
    if choice < 0.65:
        return grower.one(VARIABLES)
    if choice < 0.82:
        return f"{operand(grower, shallow)}.{grower.one(ATTRIBUTES)}".replace("\n", " ")
    inside = expression(grower, shallow) if choice < 0.93 else f"{operand(grower, shallow)}:"
    return f"{operand(grower, shallow)}[{inside}]".replace("\n", " ")


def unpacked(grower: Grower, place: Place, depth: int) -> str:
    """(a, *b, [c, d])"""
    parts = [target(grower, place, depth) for _ in range(grower.one([0, 1, 2, 2, 3, 4, 5]))]
    if parts and grower.chance(0.35):
        number = grower.random.randrange(len(parts))
        parts[number] = f"*{parts[number]}"
    first, last = grower.one(["()", "[]"])
    return first + "".join(f"{part}, " for part in parts) + last


@STATEMENTS.kind(14)
def assignment(grower: Grower, place: Place) -> str:
    """a = b, c = d"""
    targets = "".join(f"{target(grower, place, 2)} = " for _ in range(grower.one([1, 1, 1, 1, 2, 3])))
    return targets + values(grower, place)


@STATEMENTS.kind(2)
def parallel(grower: Grower, place: Place) -> str:
    """a, b = b, a"""
    count = grower.one([2, 2, 3, 4])
    targets = [target(grower, place, 0) for _ in range(count)]
    shallow = place._replace(depth=1)
    return ", ".join(targets) + " = " + ", ".join(one_expression(operand(grower, shallow)) for _ in range(count))


@STATEMENTS.kind(5)
def augmented(grower: Grower, place: Place) -> str:
    """a += b"""
    return f"{target(grower, place, 0)} {grower.one(OPERATORS)} {value(grower, place)}"


@STATEMENTS.kind(3)
def annotated(grower: Grower, place: Place) -> str:
    """a: b = c"""
    names = [name for name in VARIABLES if name not in place.declared] or ["a.x"]
    what = grower.one([grower.one(names), grower.one(names), f"({grower.one(names)})", "a.x", "a[b]"])
    annotation = value(grower, place.silent()._replace(depth=1))
    return f"{what}: {annotation}" + (f" = {value(grower, place)}" if grower.chance(0.6) else "")


@STATEMENTS.kind(14)
def alone(grower: Grower, place: Place) -> str:
    """f(a)"""
    return value(grower, place)


@STATEMENTS.kind(2)
def formatted_alone(grower: Grower, place: Place) -> str:
    """a = "%s" % b"""
    return f"a = {one_expression(percent(grower, place._replace(depth=1)))}"


@STATEMENTS.kind(3)
def deletion(grower: Grower, place: Place) -> str:
    """del a, b.c, d[e]"""
    return "del " + ", ".join(target(grower, place, 0) for _ in range(grower.one([1, 1, 2])))


@STATEMENTS.kind(2)
def nothing(_grower: Grower, _place: Place) -> str:
    """pass"""
    return "pass"


@STATEMENTS.kind(3)
def assertion(grower: Grower, place: Place) -> str:
    """assert a, b"""
    shallow = place._replace(depth=min(place.depth, 2))
    text = one_expression(condition(grower, shallow))
    text = f"not not {text}" if text.startswith("(") else text
    return f"assert {text}" + (f", {value(grower, shallow)}" if grower.chance(0.4) else "")


@STATEMENTS.kind(4)
def raising(grower: Grower, place: Place) -> str:
    """raise a from b"""
    shallow = place._replace(depth=min(place.depth, 1))
    cause = f" from {value(grower, shallow)}" if grower.chance(0.3) else ""
    return f"raise {value(grower, shallow)}{cause}" if grower.chance(0.85) else "raise"


@STATEMENTS.kind(3)
def importing(grower: Grower, place: Place) -> str:
    """import a.b as c"""
    forms = ["import m", "import m as b", "import m.n", "import m.n as c", "import m, n.o", "from m import a"]
    forms += ["from . import a", "from ..m import a as b, c", "from m.n import (d, e)", "import m.n.o as a"]
    return grower.one(forms + ["from m import *"] * (place.scope == MODULE))


@STATEMENTS.kind(8, lambda place: place.may_return)
def returning(grower: Grower, place: Place) -> str:
    """return a"""
    if place.scope == ASYNC_GENERATOR or grower.chance(0.2):
        return "return"
    return f"return {values(grower, place)}"


@STATEMENTS.kind(7, lambda place: place.in_loop)
def leaving(grower: Grower, _place: Place) -> str:
    """break, continue"""
    return grower.one(["break", "continue"])


@STATEMENTS.kind(5, lambda place: place.may_yield)
def yielding(grower: Grower, place: Place) -> str:
    """a = yield b"""
    before = grower.one(["", "", "a = ", "b.x = "])
    word = "yield from" if place.scope == GENERATOR and grower.chance(0.3) else "yield"
    return f"{before}{word} {value(grower, place)}"


@STATEMENTS.kind(5, lambda place: place.may_await)
def awaiting(grower: Grower, place: Place) -> str:
    """a = await b"""
    return f"{grower.one(['', '', 'a = ', 'b, c = '])}await {one_expression(operand(grower, place._replace(depth=1)))}"


@STATEMENTS.kind(2, since=(3, 12))
def alias(grower: Grower, place: Place) -> str:
    """type A[T] = b"""
    parameters = grower.one(["", "", "[T]", "[T, *Ts, **P]", "[T: int]", "[T: (int, str)]"])
    return f"type A{parameters} = {value(grower, place.silent()._replace(depth=1))}"


@STATEMENTS.kind(1, lambda place: place.scope == CLASS)
def slots(grower: Grower, _place: Place) -> str:
    """What class bodies begin with."""
    return grower.one(["__slots__ = ('x', 'y')", "__doc__ = a", "x: int", "y: 'C' = 1", "__z = 1"])
