"""Random functions and classes, and modules of them."""

from __future__ import annotations

from typing import Set, Tuple

from fuzzing.blocks import BLOCKS, statement
from fuzzing.expressions import arguments, expression
from fuzzing.place import (
    ASYNC_GENERATOR,
    ASYNCHRONOUS,
    CLASS,
    COROUTINE,
    FUNCTIONS,
    GENERATOR,
    PLAIN,
    PYTHON,
    VARIABLES,
    YIELDING,
    Grower,
    Place,
    indented,
)
from fuzzing.statements import value

PARAMETERS = ["", "a", "a, b", "a, /, b", "*, a", "*a, b", "a, *b, c, **d", "**a", "a, b, /", "a, /, *, b, **c"]
TYPE_PARAMETERS = ["", "", "[T]", "[T: int, *Ts]", "[T: (int, str), **P]"] + ["[T = int]"] * (PYTHON >= (3, 13))
DEPTH_OF_BODIES = 4


def program(seed: int) -> str:
    """The text of a module; the same seed gives the same text on the same Python."""
    return module(Grower(seed))


def module(grower: Grower) -> str:
    """A module: functions and classes mostly, other statements between them."""
    text = "'''A module.'''\n" if grower.chance(0.2) else ""
    if grower.chance(0.08):
        text += "from __future__ import annotations\n"
    place = Place(depth=3)
    for _ in range(grower.random.randint(1, 3)):
        text += definition(grower, place) if grower.chance(0.75) else statement(grower, place)
    return text


def definition(grower: Grower, place: Place) -> str:
    """A function or a class."""
    return a_class(grower, place) if grower.chance(0.2) else a_function(grower, place)


@BLOCKS.kind(6)
def a_function(grower: Grower, place: Place) -> str:
    """def, async def"""
    kind = grower.one([PLAIN, PLAIN, PLAIN, GENERATOR, COROUTINE, ASYNC_GENERATOR])
    names = grower.one(PARAMETERS)
    parameters = {name for name in names if name.isalpha()}
    inner = place._replace(
        depth=min(place.depth, DEPTH_OF_BODIES),
        scope=kind,
        in_loop=False,
        may_return=True,
        may_walrus=True,
        may_yield=kind in YIELDING,
        may_await=kind in ASYNCHRONOUS,
        in_comprehension=False,
        has_super=place.in_class,
        in_class=False,
        bound_around=place.bound_around | parameters,
    )
    text, inner = declarations(grower, place, inner, parameters)
    word = "async def" if kind in ASYNCHRONOUS else "def"
    name = grower.one(FUNCTIONS) if grower.chance(0.9) else "__z"
    generic = grower.one(TYPE_PARAMETERS) if PYTHON >= (3, 12) and grower.chance(0.15) else ""
    returns = f" -> {annotation(grower, place)}" if grower.chance(0.15) else ""
    text += "".join(statement(grower, inner) for _ in range(grower.random.randint(1, 4)))
    if kind in YIELDING:
        text += grower.one(["yield\n", "yield a\n", "if 0:\n    yield\n"])
    head = f"{word} {name}{generic}({signature(grower, place, names)}){returns}:\n"
    return decorators(grower, place) + head + indented(text)


def declarations(grower: Grower, place: Place, inner: Place, parameters: Set[str]) -> Tuple[str, Place]:
    """Docstring, ``global`` and ``nonlocal``; and the place behind them."""
    text = "'''A docstring.'''\n" if grower.chance(0.15) else ""
    declared = set()
    around = sorted(place.bound_around - parameters)
    if around and grower.chance(0.5):
        name = grower.one(around)
        declared.add(name)
        text += f"nonlocal {name}\n"
    names = sorted(set(VARIABLES) - parameters - declared)
    if grower.chance(0.2):
        name = grower.one(names)
        declared.add(name)
        text += f"global {name}\n"
        inner = inner._replace(bound_around=inner.bound_around - {name})
    return text, inner._replace(declared=frozenset(declared))


def signature(grower: Grower, place: Place, names: str) -> str:
    """Parameters with defaults and annotations here and there."""
    parts = []
    has_default = False
    for part in filter(None, names.split(", ")):
        if grower.chance(0.15) and part != "/" and part != "*":
            part += f": {annotation(grower, place)}"
        if part == "*" or part.startswith("*"):
            has_default = False
        elif part != "/" and (has_default or grower.chance(0.2)):
            has_default = True
            part += f" = {value(grower, place._replace(depth=1))}"
        parts.append(part)
    return ", ".join(parts)


def annotation(grower: Grower, place: Place) -> str:
    """int, 'C', a[b]"""
    if grower.chance(0.6):
        return grower.one(["int", "'C'", "None", "a.x", "a[b]", "a | b"])
    return f"({expression(grower, place.silent()._replace(depth=1))})"


def decorators(grower: Grower, place: Place) -> str:
    """@f"""
    lines = ["f", "f.x", "f(a)", "f.x(a, k=1)"]
    if PYTHON >= (3, 9):
        lines.append(f"({expression(grower, place._replace(depth=1))})")
    return "".join(f"@{grower.one(lines)}\n" for _ in range(grower.one([0, 0, 0, 0, 1, 2])))


@BLOCKS.kind(3)
def a_class(grower: Grower, place: Place) -> str:
    """class"""
    inner = place._replace(
        depth=min(place.depth, DEPTH_OF_BODIES), scope=CLASS, in_loop=False, may_return=False, may_yield=False,
        may_await=False, may_walrus=True, in_comprehension=False, in_class=True, has_super=False, declared=frozenset(),
    )  # fmt: skip
    bases = grower.one(["", "", "()", "(B)", "(B, metaclass=M)", "(*a, k=b)", "(**a)"])
    if not bases and grower.chance(0.1):
        bases = f"({arguments(grower, place._replace(depth=1))})"
    generic = grower.one(TYPE_PARAMETERS) if PYTHON >= (3, 12) and grower.chance(0.15) else ""
    text = "'''A docstring.'''\n" if grower.chance(0.15) else ""
    for _ in range(grower.random.randint(1, 4)):
        text += a_function(grower, inner.deeper()) if grower.chance(0.6) else statement(grower, inner)
    return f"{decorators(grower, place)}class {grower.one('CDE')}{generic}{bases}:\n{indented(text)}"
