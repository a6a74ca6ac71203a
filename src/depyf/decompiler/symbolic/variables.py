"""Rows for the stack and for variables of every kind."""

from __future__ import annotations

import re
from typing import Tuple

from depyf.decompiler.disassemble.graph import Node
from depyf.decompiler.refusals import STACK_SHAPE, UNKNOWN_OPERATION
from depyf.decompiler.symbolic.effects import Edge, Effect
from depyf.decompiler.symbolic.machine import Machine, Step, operation
from depyf.decompiler.symbolic.rules import A_INSTALLED
from depyf.decompiler.symbolic.state import State
from depyf.decompiler.symbolic.values import NULL, UNBOUND, Cell, Installed, Marker, MaybeUnbound, Symbol, Value
from depyf.decompiler.versions import LOCALSPLUS

# Names under which Dynamo installs globals (torch/_dynamo/output_graph.py: install_global, symbolic_convert.py:
# __resume_at_).
INSTALLED_NAME = re.compile(r"(__compiled_fn_|__resume_at_|__import_)\w+\Z")


@operation("NOP", "ENTER_HANDLER")
def nop(machine: Machine, state: State, node: Node) -> Step:
    return None


@operation("LOAD_CONST")
def load_const(machine: Machine, state: State, node: Node) -> Step:
    state.stack.append(node.arg)  # type: ignore[arg-type]
    return None


@operation("PUSH_NULL")
def push_null(machine: Machine, state: State, node: Node) -> Step:
    state.stack.append(NULL)
    return None


@operation("POP_TOP")
def pop_top(machine: Machine, state: State, node: Node) -> Step:
    state.stack.pop()
    return None


@operation("COPY")
def copy(machine: Machine, state: State, node: Node) -> Step:
    state.stack.append(state.stack[-_depth(node)])
    return None


@operation("SWAP")
def swap(machine: Machine, state: State, node: Node) -> Step:
    stack, depth = state.stack, _depth(node)
    stack[-1], stack[-depth] = stack[-depth], stack[-1]
    return None


def _depth(node: Node) -> int:
    depth: int = node.arg  # type: ignore[assignment]
    if depth < 1:
        raise IndexError(depth)
    return depth


@operation("LOAD_FAST")
def load_fast(machine: Machine, state: State, node: Node) -> Step:
    value = state.locals.get(node.arg, UNBOUND)  # type: ignore[call-overload]
    if value is UNBOUND or type(value) is MaybeUnbound:
        return _must_be_bound(machine, state, node, value)
    state.stack.append(value)
    return None


@operation("STORE_FAST")
def store_fast(machine: Machine, state: State, node: Node) -> Step:
    if LOCALSPLUS and node.arg in machine.cells:
        raise machine.refused(state, STACK_SHAPE, f"STORE_FAST replaces the cell of {node.arg}")
    value = state.stack.pop()
    if value is NULL or value is UNBOUND:
        # 3.12+: PUSH_NULL; STORE_FAST unbinds, bound or not.
        state.locals.pop(node.arg, None)  # type: ignore[call-overload]
    elif isinstance(value, Marker):
        raise machine.refused(state, STACK_SHAPE, f"STORE_FAST is given {value!r}")
    else:
        state.locals[node.arg] = value  # type: ignore[index]
        if machine.listener is not None:
            machine.listener.stored(node.arg, value)  # type: ignore[arg-type]
    return None


@operation("DELETE_FAST")
def delete_fast(machine: Machine, state: State, node: Node) -> Step:
    value = state.locals.get(node.arg, UNBOUND)  # type: ignore[call-overload]
    if type(value) is Cell and LOCALSPLUS:
        raise machine.refused(state, STACK_SHAPE, f"DELETE_FAST drops the cell of {node.arg}")
    if value is UNBOUND or type(value) is MaybeUnbound:
        return _must_be_bound(machine, state, node, value)
    del state.locals[node.arg]  # type: ignore[arg-type]
    if machine.listener is not None:
        machine.listener.deleted(state, value)
    return None


@operation("LOAD_FAST_AND_CLEAR")
def load_fast_and_clear(machine: Machine, state: State, node: Node) -> Step:
    state.stack.append(state.locals.pop(node.arg, UNBOUND))  # type: ignore[call-overload]
    return None


def _must_be_bound(machine: Machine, state: State, node: Node, value: Value) -> Effect:
    """The check that raises UnboundLocalError; where it passes, the operation is tried again."""
    if value is UNBOUND:
        return Effect(("UNBOUND", node.arg), (), (), (), True, node.handler)

    def bind(after: State, results: Tuple[Symbol, ...]) -> None:
        after.locals = {name: results[0] if held is value else held for name, held in after.locals.items()}
        after.stack = [results[0] if held is value else held for held in after.stack]

    return Effect(("CHECK_BOUND", node.arg), (value,), (None,), (Edge(state.node, update=bind),), True, node.handler)


@operation("MAKE_CELL")
def make_cell(machine: Machine, state: State, node: Node) -> Step:
    if state.node not in machine.prologue:
        raise machine.refused(state, UNKNOWN_OPERATION, f"the cell of {node.arg} is made in the middle of the code")
    return None


@operation("LOAD_CLOSURE")
def load_closure(machine: Machine, state: State, node: Node) -> Step:
    state.stack.append(Cell(node.arg))
    return None


@operation("LOAD_GLOBAL")
def load_global(machine: Machine, state: State, node: Node) -> Step:
    if INSTALLED_NAME.match(node.arg):  # type: ignore[call-overload]
        machine.used(A_INSTALLED)
        state.stack.append(Installed(node.arg))
        return None
    return machine.effect(state, node, ("LOAD_GLOBAL", node.arg), (), 0)


@operation("LOAD_DEREF", "LOAD_NAME", "LOAD_CLASSDEREF")
def load_variable(machine: Machine, state: State, node: Node) -> Step:
    return machine.effect(state, node, (node.op, node.arg), (), 0)


@operation("LOAD_FROM_DICT_OR_DEREF", "LOAD_FROM_DICT_OR_GLOBALS")
def load_from_dict(machine: Machine, state: State, node: Node) -> Step:
    return machine.effect(state, node, (node.op, node.arg), state.stack[-1:], 1)


@operation("STORE_GLOBAL", "STORE_DEREF", "STORE_NAME")
def store_variable(machine: Machine, state: State, node: Node) -> Step:
    return machine.effect(state, node, (node.op, node.arg), (state.stack[-1],), 1, (), ())


@operation("DELETE_GLOBAL", "DELETE_DEREF", "DELETE_NAME")
def delete_variable(machine: Machine, state: State, node: Node) -> Step:
    return machine.effect(state, node, (node.op, node.arg), (), 0, (), ())
