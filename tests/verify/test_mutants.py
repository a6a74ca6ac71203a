"""A seeded sample of what ``tools/mutants.py`` makes, and of the modules that ``tools/roundtrip.py`` takes."""

from __future__ import annotations

import ast

import listings
import mutants
import mutations
import pytest
import roundtrip
from building import module

SMALL = [
    "bisect.py",
    "contextlib.py",
    "functools.py",
    "textwrap.py",
    "asyncio/queues.py",
    "asyncio/tasks.py",
    "dataclasses.py",
]
PATHS = [mutants.LIBRARY / name for name in SMALL]
EVERY_STATEMENT = ["ast.py", "contextlib.py", "asyncio/tasks.py", "csv.py"]


@pytest.mark.parametrize("how", mutants.MAKERS)
def test_mutants_are_rejected(how: str) -> None:
    found = list(mutants.mutants(PATHS, 120, 1, how))
    assert len(found) == 120
    wrong = [mutant for mutant in found if mutant.outcome not in ("rejected", "refused") and not mutant.why]
    assert wrong == []
    assert sum(mutant.outcome == "accepted" for mutant in found) < 30


@pytest.mark.parametrize("how", ["flatten", "emit"])
@pytest.mark.parametrize("name", EVERY_STATEMENT)
def test_other_layouts_are_accepted(name: str, how: str) -> None:
    report = roundtrip.check(str(mutants.LIBRARY / name), how)
    assert report.outcome == "accepted", report.detail


def test_the_second_opinion() -> None:
    """The comparison that judges accepted mutants tells apart what differs, and sees through layout."""
    loop, same = "while a: b()", "while True:\n    if not a: break\n    b()"
    assert listings.harmless(module(loop), module(loop + "\n")) == "same code"
    assert listings.harmless(module("if a: b()\nc()"), module("if a:\n    b()\n    c()\nelse: c()")) == "same walk"
    assert listings.harmless(module(loop), module("while a: c()")) == ""
    assert listings.harmless(module("x = 1"), module("x = True")) == ""
    assert listings.harmless(module("try: a()\nexcept: b()"), module("a()")) == ""
    assert listings.harmless(module(loop), module(same)) in ("same walk", "")


def test_the_second_opinion_knows_where_classes_start() -> None:
    class_here, class_there = "class A: pass", "\nclass A: pass"
    assert listings.harmless(module(class_here), module(class_there)) in ("same code", "same instructions")
    assert listings.harmless(module(class_here), module("class A: __firstlineno__ = 7")) == ""


def test_every_kind_has_a_site() -> None:
    """No kind of mutant is dead: each finds something in a module that has everything."""
    modern = {
        "matching": "match a:\n    case [b, c, d] if e: f()\n    case _: g()",
        "type parameters": "def f[T](): pass",
    }
    text = EVERYTHING
    for name, kind in mutations.SOURCE.items():
        try:
            tree = ast.parse(modern.get(name, text))
        except SyntaxError:
            continue
        assert list(kind(tree)), name


EVERYTHING = '''
from . import a
import b as c
@d
@e
async def f(a: int, b=1, *c, d=2, **e) -> int:
    """text"""
    global x
    x += 1
    y = z = -x + 2 * (3, 4)[0:1]
    if not x and y or z: return [i for i in y if i]
    elif x < y < z: print(f"{x!r:>3} text", *y, end=1, sep=2)
    else: pass
    for i in y:
        if i: continue
        print(i.x, y)
        print(y, i)
    else: print()
    try:
        print()
        x = 1
    except (A, B) as error: raise C from error
    except D: print()
    else: assert x is y, y
    finally: del x, y
    async with x as y, z: await y
    (w := 1)
    return {1: 2, 3: 4, **y} if x else (yield x)
class C(B): pass
'''
