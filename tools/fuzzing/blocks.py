"""Random statements that hold others, and what is around them."""

from __future__ import annotations

from typing import List

from fuzzing.expressions import condition, items
from fuzzing.patterns import case
from fuzzing.place import ASYNCHRONOUS, ITERATED, PYTHON, VARIABLES, Grower, Place, Table, indented, one_expression
from fuzzing.statements import SHALLOW, STATEMENTS, target, value, values

BLOCKS = Table()
EXCEPTIONS = ["E", "E", "(E, F)", "a.x", "f(a)", "()"]


def body(grower: Grower, place: Place, most: int = 2) -> str:
    """Statements one level further in."""
    return indented("".join(statement(grower, place) for _ in range(grower.random.randint(1, most))))


def statement(grower: Grower, place: Place) -> str:
    """One statement, with its line break."""
    if place.depth > 0 and grower.chance(0.5):
        text = BLOCKS.choose(grower, place.deeper())
        return text if text.endswith("\n") else text + "\n"
    return STATEMENTS.choose(grower, place) + "\n"


def test(grower: Grower, place: Place) -> str:
    """A condition in front of a colon."""
    return one_expression(condition(grower, place._replace(depth=min(place.depth, SHALLOW))))


@BLOCKS.kind(14)
def conditional_blocks(grower: Grower, place: Place) -> str:
    """if, elif, else"""
    text = f"if {test(grower, place)}:\n{body(grower, place)}"
    for _ in range(grower.one([0, 0, 0, 1, 1, 2])):
        text += f"elif {test(grower, place)}:\n{body(grower, place)}"
    return text + otherwise(grower, place, 0.4)


def otherwise(grower: Grower, place: Place, probability: float) -> str:
    """else"""
    return f"else:\n{body(grower, place)}" if grower.chance(probability) else ""


@BLOCKS.kind(7)
def while_loop(grower: Grower, place: Place) -> str:
    """while"""
    inside = body(grower, place._replace(in_loop=True), 3)
    return f"while {test(grower, place)}:\n{inside}{otherwise(grower, place, 0.25)}"


@BLOCKS.kind(9)
def for_loop(grower: Grower, place: Place) -> str:
    """for, async for"""
    word = "async for" if place.scope in ASYNCHRONOUS and grower.chance(0.5) else "for"
    variables = grower.one([*ITERATED, *VARIABLES, "i, j", "i, *j", "(a, b), c", "a.x", "a[i]", "[i, j]"])
    shallow = place._replace(depth=min(place.depth, SHALLOW))
    around = iterated(grower, shallow) if grower.chance(0.9) else grower.one(["[1, 2, 3]", "()", "(1, 2)", "{1, 2}"])
    inside = body(grower, place._replace(in_loop=True), 3)
    return f"{word} {variables} in {around}:\n{inside}{otherwise(grower, place, 0.25)}"


def iterated(grower: Grower, place: Place) -> str:
    """What a loop is over; 3.8 wants parentheses around a tuple with stars."""
    text = values(grower, place)
    return f"({text})" if "*" in text and PYTHON < (3, 9) else text


@BLOCKS.kind(12)
def guarded(grower: Grower, place: Place) -> str:
    """try, except, else, finally"""
    text = f"try:\n{body(grower, place)}"
    clauses = grower.one([0, 1, 1, 1, 2, 3])
    for number in range(clauses):
        text += f"{clause(grower, number == clauses - 1)}:\n{body(grower, place)}"
    if clauses:
        text += otherwise(grower, place, 0.3)
    if not clauses or grower.chance(0.35):
        text += f"finally:\n{body(grower, place)}"
    return text


def clause(grower: Grower, is_last: bool) -> str:
    """except E as a"""
    if is_last and grower.chance(0.25):
        return "except"
    if PYTHON >= (3, 14) and grower.chance(0.2):
        return "except E, F"
    return f"except {grower.one(EXCEPTIONS)}{grower.one(['', '', ' as e', ' as a'])}"


@BLOCKS.kind(4, since=(3, 11))
def guarded_by_groups(grower: Grower, place: Place) -> str:
    """try, except*"""
    text = f"try:\n{body(grower, place)}"
    inside = place._replace(in_loop=False, may_return=False)
    for _ in range(grower.one([1, 1, 2])):
        text += f"except* {grower.one(EXCEPTIONS)}{grower.one(['', ' as e'])}:\n{body(grower, inside)}"
    text += otherwise(grower, place, 0.3)
    return text + (f"finally:\n{body(grower, place)}" if grower.chance(0.25) else "")


@BLOCKS.kind(8)
def context(grower: Grower, place: Place) -> str:
    """with, async with"""
    word = "async with" if place.scope in ASYNCHRONOUS and grower.chance(0.5) else "with"
    managers: List[str] = []
    for _ in range(grower.one([1, 1, 1, 2, 3])):
        # A target that begins with a parenthesis would be taken for a list of managers before 3.9.
        bound = f" as {target(grower, place, 1)}" if grower.chance(0.5) else ""
        managers.append(f"{value(grower, place)}{bound}")
    return f"{word} {', '.join(managers)}:\n{body(grower, place)}"


@BLOCKS.kind(6, since=(3, 10))
def matching(grower: Grower, place: Place) -> str:
    """match"""
    subject = values(grower, place) if grower.chance(0.8) else items(grower, place._replace(depth=1), 2, 3) or "a,"
    text = f"match {one_expression(subject)}:\n"
    count = grower.one([1, 2, 2, 3, 4])
    for number in range(count):
        head, guard = case(grower, number == count - 1), ""
        if head.endswith("if"):
            guard = f" {test(grower, place)}"
        text += indented(f"case {head}{guard}:\n{body(grower, place)}")
    return text
