"""Random patterns of ``match`` statements: names are bound once, alternatives bind the same names."""

from __future__ import annotations

from typing import Callable, List

from fuzzing.place import Grower

LITERALS = ["1", "-1", "2.5", "1 + 2j", "-3j", "'t'", "b'y'", "None", "True", "'a' 'b'"]
VALUES = ["a.x", "a.x.y", "K.A"]
CLASSES = ["C", "int", "a.C", "str"]


def case(grower: Grower, is_last: bool) -> str:
    """What stands between ``case`` and the guard or the colon; ``… if`` where a guard has to follow."""
    names = list("pqrstuabc")
    guarded = grower.chance(0.25)
    if is_last and grower.chance(0.4):
        text = grower.one(["_", "_", "p"])
    elif guarded and grower.chance(0.2):
        text = grower.one(["_", "p"])
    elif grower.chance(0.15):
        text = ", ".join([pattern(grower, names, 2), star(grower, names)])
    else:
        text = refutable(grower, names, 3)
    return f"{text} if" if guarded else text


def pattern(grower: Grower, names: List[str], depth: int) -> str:
    """Any pattern in parentheses where it needs them."""
    if grower.chance(0.35) or depth <= 0:
        return grower.one(["_", names.pop(0) if names else "_", grower.one(LITERALS), grower.one(VALUES)])
    return refutable(grower, names, depth)


def refutable(grower: Grower, names: List[str], depth: int) -> str:
    """A pattern that may fail."""
    if depth <= 0:
        return grower.one(LITERALS + VALUES)
    return grower.one(_KINDS)(grower, names, depth - 1)


def literal(grower: Grower, _names: List[str], _depth: int) -> str:
    """1, 'a', None, a.b"""
    return grower.one(LITERALS + VALUES)


def alternatives(grower: Grower, names: List[str], depth: int) -> str:
    """a | b, either without names or all with the same one"""
    if names and grower.chance(0.4):
        name = names.pop(0)
        return f"(({name}, 1) | [_, {name}, *_] | {{'k': {name}}})"
    return "(" + " | ".join(refutable(grower, [], depth) for _ in range(grower.one([2, 2, 3]))) + ")"


def sequence(grower: Grower, names: List[str], depth: int) -> str:
    """[a, *b, c]"""
    parts = [pattern(grower, names, depth) for _ in range(grower.one([0, 1, 2, 2, 3]))]
    if grower.chance(0.4):
        parts.insert(grower.random.randint(0, len(parts)), star(grower, names))
    return "[" + ", ".join(parts) + "]"


def star(grower: Grower, names: List[str]) -> str:
    """*a"""
    return f"*{names.pop(0)}" if names and grower.chance(0.6) else "*_"


def mapping(grower: Grower, names: List[str], depth: int) -> str:
    """{'k': a, **rest}"""
    keys = grower.random.sample(["'k'", "1", "a.x", "-1", "None"], grower.one([0, 1, 1, 2]))
    parts = [f"{key}: {pattern(grower, names, depth)}" for key in keys]
    if names and grower.chance(0.3):
        parts.append(f"**{names.pop(0)}")
    return "{" + ", ".join(parts) + "}"


def instance(grower: Grower, names: List[str], depth: int) -> str:
    """C(a, x=b)"""
    parts = [pattern(grower, names, depth) for _ in range(grower.one([0, 0, 1, 2]))]
    parts += [f"{name}={pattern(grower, names, depth)}" for name in grower.one(["", "x", "xy"])]
    return f"{grower.one(CLASSES)}({', '.join(parts)})"


def named(grower: Grower, names: List[str], depth: int) -> str:
    """pattern as name"""
    if not names:
        return refutable(grower, names, depth)
    name = names.pop(0)
    return f"({refutable(grower, names, depth)} as {name})"


_KINDS: List[Callable[[Grower, List[str], int], str]] = [
    literal, literal, alternatives, sequence, sequence, mapping, instance, named,
]  # fmt: skip
