"""Each rule makes some pair equal that differs without it, and does not reach one step further."""

from __future__ import annotations

from typing import Dict, List, Tuple

import pytest
from building import function, graph, module, without

from depyf.decompiler.disassemble.constants import Const
from depyf.decompiler.disassemble.graph import Graph
from depyf.decompiler.verify import Certificate, Mismatch, verify, walk
from depyf.decompiler.verify.rules import RULES
from depyf.decompiler.verify.walk import Equal, compare_graphs
from depyf.decompiler.versions import NULL_ABOVE_CALLABLE, PYTHON

Pair = Tuple[Graph, Graph]

CLASS_BODY = (lambda: None).__code__.replace(co_firstlineno=12)
OTHER_BODY = CLASS_BODY.replace(co_firstlineno=34)


def stored(name: str, value: str, body: object = CLASS_BODY, tail: str = "") -> Graph:
    """A class body that stores a constant, and then ends."""
    return graph(f"LOAD_CONST {value}\nSTORE_NAME {name!r}\n{tail}LOAD_CONST None\nRETURN_VALUE", body)  # type: ignore[arg-type]


def padded(function: str) -> str:
    """A call's function as it is pushed together with its padding."""
    return f"{function}\nPUSH_NULL" if NULL_ABOVE_CALLABLE else f"PUSH_NULL\n{function}"


METHOD_CALL = "LOAD_FAST 'o'\nLOAD_METHOD 'm'\nLOAD_FAST 'a'\nCALL {}\nRETURN_VALUE"
ATTRIBUTE_CALL = padded("LOAD_FAST 'o'\nLOAD_ATTR 'm'") + "\nLOAD_FAST 'a'\nCALL {}\nRETURN_VALUE"

ONE_OR_TWO = "LOAD_CONST 1\nRETURN_VALUE\nLOAD_CONST 2\nRETURN_VALUE"

EQUAL: Dict[str, List[Pair]] = {
    "first line of a class": [
        (stored("__firstlineno__", "12"), stored("__firstlineno__", "34", OTHER_BODY)),
    ],
    "order of static attributes": [
        (stored("__static_attributes__", "('a', 'b')"), stored("__static_attributes__", "('b', 'a')")),
    ],
    "null slots": [
        (graph(METHOD_CALL.format(1)), graph(ATTRIBUTE_CALL.format(1))),
        (
            graph("LOAD_FAST 'f'\nLOAD_FAST 'a'\nCALL_FUNCTION 1\nRETURN_VALUE"),
            graph(padded("LOAD_FAST 'f'") + "\nLOAD_FAST 'a'\nCALL 1\nRETURN_VALUE"),
        ),
        (graph("PUSH_NULL\nPOP_TOP\nLOAD_FAST 'a'\nRETURN_VALUE"), graph("LOAD_FAST 'a'\nRETURN_VALUE")),
    ],
    "constant condition": [
        (
            graph("LOAD_CONST 1\nBRANCH -> 2 4\nLOAD_FAST 'a'\nRETURN_VALUE\nLOAD_FAST 'b'\nRETURN_VALUE"),
            graph("LOAD_FAST 'a'\nRETURN_VALUE"),
        ),
        (
            graph("LOAD_CONST ()\nBRANCH -> 2 4\nLOAD_FAST 'a'\nRETURN_VALUE\nLOAD_FAST 'b'\nRETURN_VALUE"),
            graph("LOAD_FAST 'b'\nRETURN_VALUE"),
        ),
        (
            # It stays where it is found true, and is dropped where it is found false.
            graph("LOAD_CONST 1\nCOPY 1\nBRANCH -> 5 3\nPOP_TOP\nLOAD_FAST 'a'\nRETURN_VALUE"),
            graph("LOAD_CONST 1\nRETURN_VALUE"),
        ),
        (
            graph("LOAD_CONST 0\nCOPY 1\nBRANCH -> 5 3\nPOP_TOP\nLOAD_FAST 'a'\nRETURN_VALUE"),
            graph("LOAD_FAST 'a'\nRETURN_VALUE"),
        ),
    ],
    "constant tuple": [
        (graph("LOAD_CONST 1\nLOAD_CONST 2\nBUILD_TUPLE 2\nRETURN_VALUE"), graph("LOAD_CONST (1, 2)\nRETURN_VALUE")),
        (
            graph("LOAD_CONST 1\nLOAD_CONST 2\nBUILD_TUPLE 1\nBUILD_TUPLE 2\nRETURN_VALUE"),
            graph("LOAD_CONST (1, (2,))\nRETURN_VALUE"),
        ),
    ],
    "constant display": [
        (
            graph("LOAD_CONST 1\nLOAD_CONST 2\nLOAD_CONST 'x'\nBUILD_LIST 3\nRETURN_VALUE"),
            graph("BUILD_LIST 0\nLOAD_CONST (1, 2, 'x')\nLIST_EXTEND 1\nRETURN_VALUE"),
        ),
        (
            graph("LOAD_CONST 1\nLOAD_CONST 1\nLOAD_CONST 3\nBUILD_SET 3\nRETURN_VALUE"),
            graph("BUILD_SET 0\nLOAD_CONST (1, 1, 3)\nSET_UPDATE 1\nRETURN_VALUE"),
        ),
    ],
    "tuple taken apart": [
        (
            graph("LOAD_FAST 'a'\nLOAD_FAST 'b'\nBUILD_TUPLE 2\nUNPACK_SEQUENCE 2\nSTORE_FAST 'a'\nRETURN_VALUE"),
            graph("LOAD_FAST 'a'\nLOAD_FAST 'b'\nSWAP 2\nSTORE_FAST 'a'\nRETURN_VALUE"),
        ),
    ],
    "dropped constant": [
        (graph("LOAD_CONST 1\nPOP_TOP\nLOAD_FAST 'a'\nRETURN_VALUE"), graph("LOAD_FAST 'a'\nRETURN_VALUE")),
        (
            # A value that is dropped at the same place stays.
            graph(
                "LOAD_FAST 'a'\nBRANCH -> 2 4\nLOAD_CONST 1\nPOP_TOP -> 6\nLOAD_GLOBAL 'g'\nPOP_TOP\n"
                "LOAD_FAST 'a'\nRETURN_VALUE"
            ),
            graph("LOAD_FAST 'a'\nBRANCH -> 4 2\nLOAD_GLOBAL 'g'\nPOP_TOP\nLOAD_FAST 'a'\nRETURN_VALUE"),
        ),
    ],
    "cells of a frame": [
        (
            graph("MAKE_CELL 'a'\nMAKE_CELL 'b'\nLOAD_DEREF 'a'\nLOAD_DEREF 'b'\nBINARY_OP '+'\nRETURN_VALUE"),
            graph("MAKE_CELL 'b'\nMAKE_CELL 'a'\nLOAD_DEREF 'a'\nLOAD_DEREF 'b'\nBINARY_OP '+'\nRETURN_VALUE"),
        ),
        (
            graph("MAKE_CELL 'a'\nMAKE_CELL 'unused'\nLOAD_DEREF 'a'\nRETURN_VALUE"),
            graph("MAKE_CELL 'a'\nLOAD_DEREF 'a'\nRETURN_VALUE"),
        ),
        (graph("MAKE_CELL 'unused'\nLOAD_CONST 1\nRETURN_VALUE"), graph("LOAD_CONST 1\nRETURN_VALUE")),
    ],
    "order of stores": [
        (
            graph(
                "LOAD_FAST 'x'\nLOAD_FAST 'y'\nSWAP 2\nSTORE_FAST 'a'\nSTORE_FAST 'b'\nLOAD_CONST None\nRETURN_VALUE"
            ),
            graph("LOAD_FAST 'x'\nLOAD_FAST 'y'\nSTORE_FAST 'b'\nSTORE_FAST 'a'\nLOAD_CONST None\nRETURN_VALUE"),
        ),
        (
            graph("LOAD_FAST 'x'\nLOAD_FAST 'y'\nSWAP 2\nPOP_TOP\nRETURN_VALUE"),
            graph("LOAD_FAST 'x'\nLOAD_FAST 'y'\nSWAP 2\nSWAP 2\nSWAP 2\nPOP_TOP\nRETURN_VALUE"),
        ),
        (
            # What the next store overwrites is dropped.
            graph("LOAD_FAST 'x'\nUNPACK_SEQUENCE 2\nSTORE_FAST 'a'\nSTORE_FAST 'a'\nLOAD_CONST 0\nRETURN_VALUE"),
            graph("LOAD_FAST 'x'\nUNPACK_SEQUENCE 2\nPOP_TOP\nSTORE_FAST 'a'\nLOAD_CONST 0\nRETURN_VALUE"),
        ),
    ],
    "known truth": [
        (
            # `a and b or c`: the second test finds `a` false again, or is skipped.
            graph(
                "LOAD_FAST 'a'\nCOPY 1\nBRANCH -> 3 5\nPOP_TOP\nLOAD_FAST 'b'\nCOPY 1\nBRANCH -> 9 7\n"
                "POP_TOP\nLOAD_FAST 'c'\nRETURN_VALUE"
            ),
            graph(
                "LOAD_FAST 'a'\nBRANCH -> 2 5\nLOAD_FAST 'b'\nCOPY 1\nBRANCH -> 7 6\nLOAD_FAST 'c' -> 7\n"
                "POP_TOP -> 5\nRETURN_VALUE"
            ),
        ),
    ],
}

NEAR_MISSES: Dict[str, List[Pair]] = {
    "first line of a class": [
        (stored("__firstlineno__", "1"), stored("__firstlineno__", "2")),
        (stored("__firstlineno__", "12"), stored("__firstlineno__", "34")),
        (stored("__other__", "12"), stored("__other__", "34", OTHER_BODY)),
    ],
    "order of static attributes": [
        (stored("__static_attributes__", "('a', 'b')"), stored("__static_attributes__", "('a', 'c')")),
        (stored("__static_attributes__", "('a',)"), stored("__static_attributes__", "('a', 'a')")),
        (
            stored("__static_attributes__", "('a', 'b')", tail="LOAD_NAME 'x'\nPOP_TOP\n"),
            stored("__static_attributes__", "('b', 'a')", tail="LOAD_NAME 'x'\nPOP_TOP\n"),
        ),
    ],
    "null slots": [
        # A call that takes its argument as callable, in bytecode that no compiler makes.
        (graph(METHOD_CALL.format(1)), graph(METHOD_CALL.format(0))),
        (graph(METHOD_CALL.format(1)), graph(ATTRIBUTE_CALL.format(0))),
        (graph(ATTRIBUTE_CALL.format(1)), graph(ATTRIBUTE_CALL.format(0))),
        # One side has no padding at all: what it pops is missing.
        (
            graph(padded("LOAD_FAST 'f'") + "\nCALL 0\nRETURN_VALUE"),
            graph("LOAD_FAST 'f'\nCALL 0\nRETURN_VALUE"),
        ),
        # The slot of a method load means nothing by itself.
        (
            graph("LOAD_FAST 'o'\nLOAD_METHOD 'm'\nCOPY 1\nPOP_TOP\nCALL 0\nRETURN_VALUE"),
            graph(padded("LOAD_FAST 'o'\nLOAD_ATTR 'm'") + "\nCOPY 1\nPOP_TOP\nCALL 0\nRETURN_VALUE"),
        ),
        # Padding that no call takes.
        (graph("PUSH_NULL\nLOAD_FAST 'a'\nRETURN_VALUE"), graph("LOAD_FAST 'a'\nRETURN_VALUE")),
    ],
    "constant condition": [
        (
            graph("LOAD_CONST 1\nBRANCH -> 2 4\nLOAD_FAST 'a'\nRETURN_VALUE\nLOAD_FAST 'b'\nRETURN_VALUE"),
            graph("LOAD_CONST 0\nBRANCH -> 2 4\nLOAD_FAST 'a'\nRETURN_VALUE\nLOAD_FAST 'b'\nRETURN_VALUE"),
        ),
        (
            # What is tested, or dropped, is not the constant.
            graph("LOAD_FAST 'a'\nLOAD_CONST 1\nSWAP 2\nBRANCH -> 4 4\nRETURN_VALUE"),
            graph("LOAD_FAST 'a'\nRETURN_VALUE"),
        ),
        (
            graph("LOAD_FAST 'a'\nLOAD_CONST 1\nCOPY 2\nBRANCH -> 4 5\nRETURN_VALUE\nPOP_TOP\nRETURN_VALUE"),
            graph("LOAD_FAST 'a'\nLOAD_CONST 1\nRETURN_VALUE"),
        ),
        (
            graph("LOAD_FAST 'a'\nLOAD_CONST 1\nSWAP 2\nPOP_TOP\nRETURN_VALUE"),
            graph("LOAD_FAST 'a'\nRETURN_VALUE"),
        ),
    ],
    "constant tuple": [
        (graph("LOAD_CONST 1\nLOAD_CONST 2\nBUILD_TUPLE 2\nRETURN_VALUE"), graph("LOAD_CONST (True, 2)\nRETURN_VALUE")),
        (graph("LOAD_CONST 1\nLOAD_CONST 2\nBUILD_TUPLE 2\nRETURN_VALUE"), graph("LOAD_CONST (2, 1)\nRETURN_VALUE")),
        (graph("LOAD_CONST 1\nLOAD_CONST 2\nBUILD_LIST 2\nRETURN_VALUE"), graph("LOAD_CONST (1, 2)\nRETURN_VALUE")),
        (
            graph("LOAD_CONST 0\nLOAD_CONST 1\nLOAD_CONST 2\nBUILD_TUPLE 2\nBUILD_TUPLE 2\nRETURN_VALUE"),
            graph("LOAD_CONST (0, 1, 2)\nRETURN_VALUE"),
        ),
    ],
    "constant display": [
        (
            graph("LOAD_CONST 1\nLOAD_CONST 2\nBUILD_LIST 2\nRETURN_VALUE"),
            graph("BUILD_LIST 0\nLOAD_CONST (2, 1)\nLIST_EXTEND 1\nRETURN_VALUE"),
        ),
        (
            graph("LOAD_CONST 1\nLOAD_CONST 2\nBUILD_LIST 2\nRETURN_VALUE"),
            graph("BUILD_LIST 0\nLOAD_CONST (True, 2)\nLIST_EXTEND 1\nRETURN_VALUE"),
        ),
        (
            graph("LOAD_CONST 'a'\nLOAD_CONST 'b'\nBUILD_LIST 2\nRETURN_VALUE"),
            graph("BUILD_LIST 0\nLOAD_CONST 'ab'\nLIST_EXTEND 1\nRETURN_VALUE"),
        ),
        (
            graph("LOAD_CONST 1\nLOAD_CONST 2\nBUILD_LIST 2\nRETURN_VALUE"),
            graph("LOAD_FAST 'a'\nBUILD_LIST 1\nLOAD_CONST (1, 2)\nLIST_EXTEND 1\nRETURN_VALUE"),
        ),
        (
            graph("LOAD_CONST 1\nLOAD_CONST 2\nBUILD_LIST 2\nRETURN_VALUE"),
            graph("BUILD_SET 0\nLOAD_CONST (1, 2)\nSET_UPDATE 1\nRETURN_VALUE"),
        ),
        (
            # A frozenset has an order of its own.
            graph("LOAD_CONST 1\nLOAD_CONST 2\nBUILD_SET 2\nRETURN_VALUE"),
            graph("BUILD_SET 0\nLOAD_CONST frozenset({1, 2})\nSET_UPDATE 1\nRETURN_VALUE"),
        ),
        (
            # The list that is extended is another one, further down.
            graph("BUILD_LIST 0\nLOAD_CONST 1\nLOAD_CONST 2\nBUILD_LIST 2\nPOP_TOP\nRETURN_VALUE"),
            graph("BUILD_LIST 0\nBUILD_LIST 0\nLOAD_CONST (1, 2)\nLIST_EXTEND 2\nPOP_TOP\nRETURN_VALUE"),
        ),
    ],
    "tuple taken apart": [
        (
            graph("LOAD_FAST 'a'\nLOAD_FAST 'b'\nBUILD_TUPLE 2\nUNPACK_SEQUENCE 2\nSTORE_FAST 'a'\nRETURN_VALUE"),
            graph("LOAD_FAST 'a'\nLOAD_FAST 'b'\nSTORE_FAST 'a'\nRETURN_VALUE"),
        ),
        (
            graph("LOAD_FAST 'a'\nLOAD_FAST 'b'\nBUILD_TUPLE 2\nUNPACK_SEQUENCE 3\nSTORE_FAST 'a'\nRETURN_VALUE"),
            graph("LOAD_FAST 'a'\nLOAD_FAST 'b'\nSWAP 2\nSTORE_FAST 'a'\nRETURN_VALUE"),
        ),
        (
            graph("LOAD_FAST 'a'\nLOAD_FAST 'b'\nBUILD_SET 2\nUNPACK_SEQUENCE 2\nSTORE_FAST 'a'\nRETURN_VALUE"),
            graph("LOAD_FAST 'a'\nLOAD_FAST 'b'\nSWAP 2\nSTORE_FAST 'a'\nRETURN_VALUE"),
        ),
    ],
    "dropped constant": [
        (
            # Loading a global can raise.
            graph("LOAD_GLOBAL 'g'\nPOP_TOP\nLOAD_FAST 'a'\nRETURN_VALUE"),
            graph("LOAD_FAST 'a'\nRETURN_VALUE"),
        ),
        (
            # What is dropped is what lies below.
            graph("LOAD_FAST 'a'\nLOAD_FAST 'b'\nLOAD_CONST 1\nSWAP 2\nPOP_TOP\nRETURN_VALUE"),
            graph("LOAD_FAST 'a'\nLOAD_FAST 'b'\nRETURN_VALUE"),
        ),
        (
            graph("LOAD_FAST 'a'\nLOAD_CONST 1\nPOP_TOP\nPOP_TOP\nLOAD_CONST 2\nRETURN_VALUE"),
            graph("LOAD_FAST 'a'\nLOAD_CONST 2\nRETURN_VALUE"),
        ),
    ],
    "cells of a frame": [
        (
            graph("MAKE_CELL 'a'\nLOAD_DEREF 'a'\nRETURN_VALUE"),
            graph("LOAD_DEREF 'a'\nRETURN_VALUE"),
        ),
        (
            graph("MAKE_CELL 'a'\nLOAD_CONST 1\nSTORE_DEREF 'a'\nMAKE_CELL 'a'\nLOAD_DEREF 'a'\nRETURN_VALUE"),
            graph("MAKE_CELL 'a'\nMAKE_CELL 'a'\nLOAD_CONST 1\nSTORE_DEREF 'a'\nLOAD_DEREF 'a'\nRETURN_VALUE"),
        ),
    ],
    "order of stores": [
        (
            graph(
                "LOAD_FAST 'x'\nLOAD_FAST 'y'\nSWAP 2\nSTORE_FAST 'a'\nSTORE_FAST 'b'\nLOAD_CONST None\nRETURN_VALUE"
            ),
            graph("LOAD_FAST 'x'\nLOAD_FAST 'y'\nSTORE_FAST 'a'\nSTORE_FAST 'b'\nLOAD_CONST None\nRETURN_VALUE"),
        ),
        (
            # One variable stored twice keeps the last value.
            graph(
                "LOAD_FAST 'x'\nLOAD_FAST 'y'\nSWAP 2\nSTORE_FAST 'a'\nSTORE_FAST 'a'\nLOAD_CONST None\nRETURN_VALUE"
            ),
            graph("LOAD_FAST 'x'\nLOAD_FAST 'y'\nSTORE_FAST 'a'\nSTORE_FAST 'a'\nLOAD_CONST None\nRETURN_VALUE"),
        ),
        (
            graph("LOAD_FAST 'x'\nLOAD_FAST 'y'\nSWAP 2\nPOP_TOP\nSTORE_FAST 'b'\nLOAD_CONST None\nRETURN_VALUE"),
            graph("LOAD_FAST 'x'\nLOAD_FAST 'y'\nPOP_TOP\nSTORE_FAST 'b'\nLOAD_CONST None\nRETURN_VALUE"),
        ),
        (
            # The first of the two values stays.
            graph("LOAD_FAST 'x'\nUNPACK_SEQUENCE 2\nSTORE_FAST 'a'\nSTORE_FAST 'a'\nLOAD_CONST 0\nRETURN_VALUE"),
            graph("LOAD_FAST 'x'\nUNPACK_SEQUENCE 2\nSTORE_FAST 'a'\nPOP_TOP\nLOAD_CONST 0\nRETURN_VALUE"),
        ),
        (
            # A store in between may be what shows the difference.
            graph("LOAD_FAST 'x'\nSTORE_FAST 'a'\nLOAD_FAST 'y'\nSTORE_FAST 'a'\nLOAD_CONST 0\nRETURN_VALUE"),
            graph("LOAD_FAST 'x'\nPOP_TOP\nLOAD_FAST 'y'\nSTORE_FAST 'a'\nLOAD_CONST 0\nRETURN_VALUE"),
        ),
        (
            # Stores to globals can raise.
            graph(
                "LOAD_FAST 'x'\nLOAD_FAST 'y'\nSWAP 2\nSTORE_GLOBAL 'a'\nSTORE_GLOBAL 'b'\nLOAD_CONST 0\nRETURN_VALUE"
            ),
            graph("LOAD_FAST 'x'\nLOAD_FAST 'y'\nSTORE_GLOBAL 'b'\nSTORE_GLOBAL 'a'\nLOAD_CONST 0\nRETURN_VALUE"),
        ),
    ],
    "known truth": [
        (
            # Tested again after it was called.
            graph("LOAD_FAST 'a'\nCOPY 1\nBRANCH -> 3 4\nPOP_TOP -> 5\nBRANCH -> 5 7\n" + ONE_OR_TWO),
            graph("LOAD_FAST 'a'\nCOPY 1\nBRANCH -> 3 4\nPOP_TOP -> 5\nPOP_TOP -> 5\n" + ONE_OR_TWO),
        ),
        (
            # Another value is tested.
            graph("LOAD_FAST 'a'\nLOAD_FAST 'b'\nBRANCH -> 3 3\nBRANCH -> 4 6\n" + ONE_OR_TWO),
            graph("LOAD_FAST 'a'\nLOAD_FAST 'b'\nBRANCH -> 3 4\nPOP_TOP -> 5\nPOP_TOP -> 7\n" + ONE_OR_TWO),
        ),
    ],
}


def cases(table: Dict[str, List[Pair]]) -> List[object]:
    return [
        pytest.param(name, pair, id=f"{name}-{at}") for name, pairs in table.items() for at, pair in enumerate(pairs)
    ]


def test_every_rule_has_both() -> None:
    assert set(EQUAL) == set(RULES) == set(NEAR_MISSES)


@pytest.mark.parametrize(("name", "pair"), cases(EQUAL))
def test_rule_is_needed(name: str, pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    for one, other in (pair, pair[::-1]):
        equal = compare_graphs(("f",), one, other)
        assert isinstance(equal, Equal), equal
        assert name in equal.rules
    without(monkeypatch, walk, "RULES", name)
    assert isinstance(compare_graphs(("f",), *pair), Mismatch)


@pytest.mark.parametrize(("name", "pair"), cases(NEAR_MISSES))
def test_rule_stops_there(name: str, pair: Pair) -> None:
    assert isinstance(compare_graphs(("f",), *pair), Mismatch)
    assert isinstance(compare_graphs(("f",), *pair[::-1]), Mismatch)


# PYVERSIONS: where line breaks change what is compiled.
LAYOUTS = {
    "known truth": ("def f(a, b, c, d):\n    return (a or{0}b and{0}c or{0}d)", PYTHON in ((3, 10), (3, 11))),
    "order of stores": ("def f(a, b):\n    (x,{0}y) = (b,{0}a)\n    return x - y", PYTHON >= (3, 11)),
    "first line of a class": ("{0}class C:\n    a = 1", PYTHON >= (3, 13)),
}


@pytest.mark.parametrize("name", LAYOUTS)
def test_layout_of_programs(name: str) -> None:
    """On some Pythons line breaks change what is compiled, and exactly one rule says that it is the same."""
    text, differs = LAYOUTS[name]
    verdict = verify(module(text.format("\n")), module(text.format(" ").lstrip()))
    assert isinstance(verdict, Certificate), verdict
    assert verdict.rules == ({name} if differs else set())
    assert verdict.axioms == ((RULES[name].axiom,) if differs and RULES[name].axiom else ())


def test_function_alone_or_in_its_module() -> None:
    """Since 3.11 the compiler knows imported modules and does not load methods from them."""
    text = "def f(a):\n    return os.path.join(os.getcwd(), a.b(1), *a.c(x=2))"
    alone, in_module = function(text), function("import os\n" + text)
    verdict = verify(in_module, alone)
    assert isinstance(verdict, Certificate), verdict
    assert verdict.rules == ({"null slots"} if PYTHON >= (3, 11) else set())


def test_large_lines() -> None:
    """Until 3.9 the optimiser leaves code alone that has much of it on one line."""
    items = ", ".join(f"a{number}" for number in range(200))
    text = (
        "def f(a, b):\n    if a or True: b()\n    def g(c=1, d=2): pass\n    a, b = b, a\n    c = [{0}]\n    return c"
    )
    verdict = verify(module(text.format(items)), module(text.format(items.replace(",", ",\n"))))
    assert isinstance(verdict, Certificate), verdict
    left_alone = {"constant condition", "constant tuple", "tuple taken apart"} if PYTHON <= (3, 9) else set()
    assert verdict.rules == left_alone


class Lazy:
    """An object that a constant can be in code of Dynamo: testing it would run code of the program."""

    def __bool__(self) -> bool:
        raise AssertionError


def test_constants_that_are_no_literals_are_left_alone() -> None:
    tested = graph("LOAD_CONST None\nBRANCH -> 2 4\nLOAD_FAST 'a'\nRETURN_VALUE\nLOAD_FAST 'b'\nRETURN_VALUE")
    other = tested._replace(nodes=(tested.nodes[0]._replace(arg=Const(Lazy())), *tested.nodes[1:]))
    assert isinstance(compare_graphs(("f",), other, tested), Mismatch)
