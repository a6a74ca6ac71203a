"""The kinds on the operand stack, of compiled and of handwritten code."""

from __future__ import annotations

import pytest
from building import function, graph

from depyf.decompiler.disassemble import Graph, decode
from depyf.decompiler.disassemble.stack import (
    EXCEPTION,
    EXIT,
    ITER,
    METHOD,
    NULL,
    PADDING,
    PREVIOUS,
    SAVED,
    VALUE,
    Stack,
    StackError,
    entry_stacks,
)
from depyf.decompiler.versions import COMPREHENSIONS_INLINED, HANDLER_PUSHES_SIX, NULL_ABOVE_CALLABLE


def kinds_before(code_graph: Graph, op: str, arg: object = None) -> list[tuple[str, ...]]:
    stacks = entry_stacks(code_graph)
    return [
        stack.kinds()
        for node, stack in zip(code_graph.nodes, stacks)
        if node.op == op and (arg is None or node.arg == arg)
    ]


def test_iterator_of_a_loop() -> None:
    code = function("def f(a):\n    for b in a:\n        g(b)\n    h(b)")
    assert kinds_before(decode(code), "FOR_ITER") == [(ITER,)]
    assert kinds_before(decode(code), "STORE_FAST", "b") == [(ITER, VALUE)]
    assert kinds_before(decode(code), "RETURN_VALUE") == [(VALUE,)]


def test_exit_of_a_context() -> None:
    code = function("def f(a):\n    with a as b:\n        b.c = 1")
    before = kinds_before(decode(code), "STORE_FAST", "b")
    assert [kinds[-1] for kinds in before] == [VALUE]
    assert EXIT in before[0]


def test_state_in_a_handler() -> None:
    code = function("def f(a):\n    try:\n        a()\n    except E as b:\n        return b")
    before = kinds_before(decode(code), "STORE_FAST", "b")
    bound = next(kinds for kinds in before if kinds[-1] == EXCEPTION)
    assert set(bound) == {PREVIOUS, EXCEPTION}
    assert len(bound) == (5 if HANDLER_PUSHES_SIX else 2)


@pytest.mark.skipif(not COMPREHENSIONS_INLINED, reason="comprehensions have their own frame")
def test_saved_local_of_a_comprehension() -> None:
    code = function("def f(a):\n    return [b for b in a]")
    assert kinds_before(decode(code), "LIST_APPEND")[0][0] == SAVED


METHOD_CALL = graph("LOAD_FAST 'a'\nLOAD_METHOD 'm'\nLOAD_FAST 'b'\nCALL 1\nRETURN_VALUE")


def test_method_loads() -> None:
    upper_is_padding = NULL_ABOVE_CALLABLE
    assert entry_stacks(METHOD_CALL)[2].kinds() == ((VALUE, NULL) if upper_is_padding else (NULL, VALUE))
    told = entry_stacks(METHOD_CALL, tell_methods=True)[2].kinds()
    assert told == ((METHOD, PADDING) if upper_is_padding else (PADDING, METHOD))


def test_equal_stacks_are_one_object() -> None:
    bottom = Stack()
    assert bottom.push(VALUE, ITER) is bottom.push(VALUE).push(ITER)
    assert bottom.push(VALUE, NULL, ITER).pop(2) is bottom.push(VALUE)
    assert bottom.push(VALUE, NULL, ITER).cut(2) is bottom.push(VALUE, NULL)
    assert bottom.push(NULL, VALUE, NULL).nulls_above(1) == 1
    assert repr(bottom.push(VALUE, NULL)) == "[value, null]"


def test_kinds_that_meet() -> None:
    merged = graph("LOAD_FAST 'a'\nBRANCH -> 2 4\nLOAD_FAST 'a'\nGET_ITER -> 5\nLOAD_FAST 'a'\nRETURN_VALUE")
    assert entry_stacks(merged)[5].kinds() == (VALUE,)


BROKEN = {
    "pops more than there is": "POP_TOP\nLOAD_CONST None\nRETURN_VALUE",
    "depths that differ": "LOAD_FAST 'a'\nBRANCH -> 2 3\nLOAD_FAST 'b'\nLOAD_CONST None\nRETURN_VALUE",
    "NULL or value": "LOAD_FAST 'a'\nBRANCH -> 2 3\nPUSH_NULL -> 4\nLOAD_FAST 'b'\nRETURN_VALUE",
    "swap below the stack": "LOAD_FAST 'a'\nSWAP 2\nRETURN_VALUE",
    "copy below the stack": "LOAD_FAST 'a'\nCOPY 2\nRETURN_VALUE",
    "endless growth": "LOAD_FAST 'a' -> 0",
}


@pytest.mark.parametrize("name", BROKEN)
def test_refused(name: str) -> None:
    with pytest.raises(StackError, match="operand stack at"):
        entry_stacks(graph(BROKEN[name]))


def test_deep_stacks_cost_what_they_push() -> None:
    items = 20_000
    lines = ["LOAD_FAST 'a'"] * items + [f"BUILD_LIST {items}", "RETURN_VALUE"]
    assert entry_stacks(graph("\n".join(lines)))[items].depth == items
