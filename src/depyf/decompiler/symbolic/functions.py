"""Rows for functions that the code makes: what they are made of is known until they are handed out (R-FUNCTION)."""

from __future__ import annotations

from types import CodeType
from typing import List, Optional, Tuple, cast

from depyf.decompiler.disassemble.constants import Const
from depyf.decompiler.disassemble.graph import Node
from depyf.decompiler.refusals import STACK_SHAPE
from depyf.decompiler.symbolic.containers import popped
from depyf.decompiler.symbolic.machine import Machine, Step, operation
from depyf.decompiler.symbolic.rules import (
    R_CELL,
    R_FUNCTION,
)
from depyf.decompiler.symbolic.state import Container, State
from depyf.decompiler.symbolic.values import Ref, Value


@operation("MAKE_FUNCTION", "MAKE_FUNCTION_NAMED")
def make_function(machine: Machine, state: State, node: Node) -> Step:
    """Attributes lie below the code (and the qualified name, until 3.10), in the order of their flags."""
    flags: int = node.arg  # type: ignore[assignment]
    items: List[Tuple[str, Value]] = []
    if node.op == "MAKE_FUNCTION_NAMED":
        items.append(("__qualname__", state.stack.pop()))
    (code,) = popped(machine, state, 1)
    if type(code) is not Const or type(code.value) is not CodeType:
        raise machine.refused(state, STACK_SHAPE, f"a function is made of {code!r}")
    for flag in sorted(FUNCTION_ATTRIBUTES, reverse=True):
        if flags & flag:
            items.append((FUNCTION_ATTRIBUTES[flag], popped(machine, state, 1)[0]))
    if machine.nodes[node.next[0]].op != "SET_FUNCTION_ATTRIBUTE":
        _check_closure(machine, state, code.value, dict(items).get("__closure__"))
    state.stack.append(state.build("function", (("__code__", code), *sorted(items, key=_attribute))))
    machine.used(R_FUNCTION)
    return None


def _check_closure(machine: Machine, state: State, code: CodeType, closure: Optional[Value]) -> None:
    """The interpreter takes any tuple, and crashes when a function runs without the cells that its code uses."""
    found = None if closure is None else state.contents(closure)
    known = 0 if closure is None else None if found is None else len(found.items)
    if known is not None and known != len(code.co_freevars):
        raise machine.refused(state, STACK_SHAPE, f"{code.co_name} is made with {known} cells")


def _attribute(item: Tuple[str, Value]) -> str:
    return item[0]


# Include/cpython/funcobject.h and Python/compile.c: MAKE_FUNCTION's flags.
FUNCTION_ATTRIBUTES = {
    1: "__defaults__",
    2: "__kwdefaults__",
    4: "__annotations__",
    8: "__closure__",
    16: "__annotate__",
}


@operation("SET_FUNCTION_ATTRIBUTE")
def set_function_attribute(machine: Machine, state: State, node: Node) -> Step:
    function = state.stack[-1]
    found = state.contents(function)
    if found is None or found.kind != "function" or node.arg not in FUNCTION_ATTRIBUTES:
        raise machine.refused(state, STACK_SHAPE, "SET_FUNCTION_ATTRIBUTE on what is no new function")
    state.stack.pop()
    (value,) = popped(machine, state, 1)
    if FUNCTION_ATTRIBUTES[cast(int, node.arg)] == "__closure__":
        _check_closure(machine, state, found.items[0][1].value, value)
    attributes = dict(found.items[1:], **{FUNCTION_ATTRIBUTES[cast(int, node.arg)]: value})
    state.heap[cast(Ref, function)] = Container(
        "function", (found.items[0], *sorted(attributes.items(), key=_attribute))
    )
    state.stack.append(function)
    return None


def closure_of(machine: Machine, state: State, value: Value) -> Optional[Value]:
    """R-CELL: the closure of a function that only this frame holds."""
    found = state.contents(value)
    if found is None or found.kind != "function":
        return None
    closure = dict(found.items).get("__closure__")
    if closure is not None:
        machine.used(R_CELL)
    return closure
