"""Break the verifier on purpose: without any one of its checks, some mutant slips through."""

from __future__ import annotations

import dis
from types import CodeType
from typing import Callable, Dict, Tuple

import pytest
from building import function, graph, module, without

from depyf.decompiler.disassemble.graph import Handler
from depyf.decompiler.verify import Certificate, Mismatch, checks, lockstep, verify, walk
from depyf.decompiler.verify.walk import Equal, compare_graphs
from depyf.decompiler.versions import DOCSTRING_FLAG, PYTHON

Codes = Tuple[CodeType, CodeType]

PLAIN = function("def f(a, b=1):\n    return a")
DOCUMENTED = function("def f(a):\n    'doc'\n    return a")


def with_other_docstring() -> Codes:
    return DOCUMENTED, DOCUMENTED.replace(co_consts=("other", *DOCUMENTED.co_consts[1:]))


def with_unused_free_variable() -> Codes:
    text = "def outer(x):\n    def f():\n        {0}\n        return 1\n    return f"
    return function(text.format("if 0: x"), "outer", "f"), function(text.format("pass"), "outer", "f")


CODE_MUTANTS: Dict[str, Callable[[], Codes]] = {
    "name": lambda: (PLAIN, PLAIN.replace(co_name="g")),
    "flags": lambda: (PLAIN, PLAIN.replace(co_flags=PLAIN.co_flags ^ checks.CO_FUTURE_ANNOTATIONS)),
    "argument counts": lambda: (PLAIN, PLAIN.replace(co_posonlyargcount=1)),
    "parameters": lambda: (PLAIN, PLAIN.replace(co_varnames=("a", "c"))),
    "free variables": with_unused_free_variable,
    "docstring": with_other_docstring,
}
if PYTHON >= (3, 11):
    CODE_MUTANTS["qualified name"] = lambda: (PLAIN, PLAIN.replace(co_qualname="C.f"))


def test_every_fact_has_a_mutant() -> None:
    assert set(checks.CODE_CHECKS) - set(CODE_MUTANTS) <= {"qualified name"}


@pytest.mark.parametrize("name", CODE_MUTANTS)
def test_facts(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    original, mutant = CODE_MUTANTS[name]()
    verdict = verify(original, mutant)
    assert isinstance(verdict, Mismatch)
    assert name in verdict.why
    without(monkeypatch, lockstep, "CODE_CHECKS", name)
    assert isinstance(verify(original, mutant), Certificate)


def test_docstring_of_3_14_is_told_by_a_flag() -> None:
    flagged = DOCUMENTED.replace(co_flags=DOCUMENTED.co_flags | checks.CO_HAS_DOCSTRING)
    assert checks.docstring(flagged) == "doc"
    unflagged = DOCUMENTED.replace(co_flags=DOCUMENTED.co_flags & ~checks.CO_HAS_DOCSTRING)
    assert checks.docstring(unflagged) == (None if DOCSTRING_FLAG else "doc")


def exchanged(code: CodeType, replaced: Dict[str, object]) -> CodeType:
    """``code`` with its two free variables in the other order, and its operands adapted."""
    raw = bytearray(code.co_code)
    places = [i for i in dis.get_instructions(code) if i.opcode in dis.hasfree and i.argval in code.co_freevars]
    low = min(place.arg or 0 for place in places)
    for place in places:
        raw[place.offset + 1] = low + 1 - ((place.arg or 0) - low)
    return code.replace(co_code=bytes(raw), co_freevars=code.co_freevars[::-1], **replaced)


CLOSURE = "def outer(x, y):\n    def f():\n        return x - y\n    return f"


def test_order_of_free_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    outer = function(CLOSURE, "outer")
    inner = function(CLOSURE, "outer", "f")
    other = exchanged(inner, {})
    mutant = outer.replace(co_consts=tuple(other if const == inner else const for const in outer.co_consts))
    assert isinstance(verify(outer, mutant), Mismatch)
    assert isinstance(verify(inner, other), Certificate), "who makes a function of it binds by name"
    assert isinstance(verify(inner, other, same_variables_order=True), Mismatch)
    without(monkeypatch, lockstep, "NESTED_CHECKS", "order of free variables")
    assert isinstance(verify(outer, mutant), Certificate)


def test_order_of_cell_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "def f(a):\n    {0}\n    return 1"
    original, candidate = function(text.format("if 0: lambda: a")), function(text.format("pass"))
    assert original.co_cellvars != candidate.co_cellvars
    assert isinstance(verify(original, candidate), Certificate)
    assert isinstance(verify(original, candidate, same_variables_order=True), Mismatch)
    without(monkeypatch, lockstep, "REPLACEMENT_CHECKS", "order of cell variables")
    assert isinstance(verify(original, candidate, same_variables_order=True), Certificate)


TRY = "LOAD_FAST 'a'\nLOAD_FAST 'f'\nCALL_FUNCTION 0 ! 5\nPOP_TOP\nRETURN_VALUE\nRERAISE 0"


def with_handler(depth: int, lasti: bool) -> object:
    built = graph(TRY)
    nodes = [node._replace(handler=node.handler and Handler(node.handler.target, depth, lasti)) for node in built.nodes]
    return built._replace(nodes=tuple(nodes))


GRAPH_MUTANTS = {
    "operation": (
        graph("LOAD_FAST 'a'\nUNARY_NEGATIVE\nRETURN_VALUE"),
        graph("LOAD_FAST 'a'\nUNARY_INVERT\nRETURN_VALUE"),
    ),
    "operand": (graph("LOAD_CONST 1\nRETURN_VALUE"), graph("LOAD_CONST True\nRETURN_VALUE")),
    "stack kept for the handler": (with_handler(0, False), with_handler(1, False)),
    "lasti": (with_handler(0, False), with_handler(0, True)),
    "successors": (
        graph("LOAD_FAST 'a'\nRETURN_VALUE"),
        graph("LOAD_FAST 'a'\nUNARY_NEGATIVE\nRETURN_VALUE"),
    ),
    "handlers": (
        graph("LOAD_FAST 'a' ! 2\nRETURN_VALUE\nRERAISE 0"),
        graph("LOAD_FAST 'a' ! 2\nRETURN_VALUE\nPOP_TOP\nRERAISE 0"),
    ),
}


def test_every_check_of_a_node_has_a_mutant() -> None:
    assert set(GRAPH_MUTANTS) == {*checks.NODE_CHECKS, *checks.EDGE_CHECKS}


@pytest.mark.parametrize("name", GRAPH_MUTANTS)
def test_nodes(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    original, mutant = GRAPH_MUTANTS[name]
    assert isinstance(compare_graphs(("f",), original, mutant), Mismatch)
    without(monkeypatch, walk, "NODE_CHECKS" if name in checks.NODE_CHECKS else "EDGE_CHECKS", name)
    assert isinstance(compare_graphs(("f",), original, mutant), Equal)


def test_a_handler_where_none_was() -> None:
    guarded, plain = graph(TRY), graph(TRY.replace(" ! 5", ""))
    assert isinstance(compare_graphs(("f",), guarded, plain), Mismatch)
    assert isinstance(compare_graphs(("f",), plain, guarded), Mismatch)


def test_nested_code(monkeypatch: pytest.MonkeyPatch) -> None:
    original, mutant = module("def f(): return 1"), module("def f(): return 2")
    assert isinstance(verify(original, mutant), Mismatch)
    monkeypatch.setattr(lockstep, "_nested", lambda *_graphs: [])
    assert isinstance(verify(original, mutant), Certificate)


def test_one_code_object_in_two_places() -> None:
    """Pairs are compared, not code objects: the second use of one of them is not taken for granted."""
    same = module("def f(): return 1\ndef f(): return 1\n")
    changed = module("def f(): return 1\ndef f(): return 2\n")
    assert isinstance(verify(same, changed), Mismatch)


def test_a_name_that_stands_for_two_locals(monkeypatch: pytest.MonkeyPatch) -> None:
    code = function("def f(a, b):\n    c = a\n    d = b\n    return c")
    one = code.replace(co_varnames=("a", "b", "c", "c"))
    other = function("def f(a, b):\n    c = a\n    d = b\n    return d").replace(co_varnames=("a", "b", "c", "c"))
    assert isinstance(verify(one, other), Mismatch)
    unused = code.replace(co_varnames=("a", "b", "c", "d", "c"), co_nlocals=5)
    assert isinstance(verify(unused, code), Certificate)
    monkeypatch.setattr(lockstep, "ambiguous_name", lambda _code: None)
    assert isinstance(verify(one, other), Certificate)


def test_the_slot_of_a_cell_is_no_local(monkeypatch: pytest.MonkeyPatch) -> None:
    """LOAD_FAST of a cell variable loads the cell, in bytecode that no compiler makes."""
    text = graph("LOAD_FAST 'a'\nRETURN_VALUE")
    cell = function("def f(a):\n    return lambda: a")
    local = function("def f(a):\n    return a")
    assert isinstance(compare_graphs(("f",), text._replace(code=cell), text._replace(code=local)), Mismatch)
    monkeypatch.setattr(checks, "_FAST", frozenset())
    assert isinstance(compare_graphs(("f",), text._replace(code=cell), text._replace(code=local)), Equal)


# The class has a cell of that name for its method, and takes the variable of that name from outside.
TWICE = """
def f():
    class C:
        nonlocal __class__
        __class__ = 42
        def g(): __class__
    __class__ = 1
"""


def test_one_name_for_a_cell_and_a_free_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    code = function(TWICE, "f", "C")
    assert set(code.co_cellvars) & set(code.co_freevars)
    mutant = _with_cell_for_free(code)
    assert isinstance(lockstep.lockstep(code, code, {}, skip_identical=False), Certificate)
    assert isinstance(verify(code, mutant), Mismatch)
    monkeypatch.setattr(checks, "_free_at", lambda _code: {})
    assert isinstance(verify(code, mutant), Certificate)


def _with_cell_for_free(code: CodeType) -> CodeType:
    """``code`` that stores its cell variable where it stored its free variable."""
    raw = bytearray(code.co_code)
    store = next(found for found in dis.get_instructions(code) if found.opname == "STORE_DEREF")
    load = next(found for found in dis.get_instructions(code) if found.opname in ("LOAD_CLOSURE", "LOAD_FAST"))
    raw[store.offset + 1] = load.arg or 0
    return code.replace(co_code=bytes(raw))
