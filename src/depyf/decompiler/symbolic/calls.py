"""Rows for attributes and calls, whatever slots the Python in question pads them with."""

from __future__ import annotations

from typing import Optional, Sequence, Tuple, cast

from depyf.decompiler.disassemble.constants import Const
from depyf.decompiler.disassemble.graph import Node
from depyf.decompiler.refusals import STACK_SHAPE
from depyf.decompiler.symbolic.effects import Effect, Update
from depyf.decompiler.symbolic.functions import closure_of
from depyf.decompiler.symbolic.graphs import OUTPUTS, is_graph
from depyf.decompiler.symbolic.machine import Machine, Step, operation
from depyf.decompiler.symbolic.paths import helper, loaded_before
from depyf.decompiler.symbolic.rules import A_FRAME, A_HELPER, A_PATH, R_CALLEX, R_ITER
from depyf.decompiler.symbolic.state import Container, Spread, State
from depyf.decompiler.symbolic.values import NULL, UNBOUND, Half, Ref, Symbol, Value
from depyf.decompiler.versions import NULL_ABOVE_CALLABLE

# The builtin function, as a constant of the code object.
ITER = Const(iter)
_METHOD_HALVES = (0, 1) if NULL_ABOVE_CALLABLE else (1, 0)


@operation("LOAD_ATTR")
def load_attr(machine: Machine, state: State, node: Node) -> Step:
    if node.arg == "__closure__":
        closure = closure_of(machine, state, state.stack[-1])
        if closure is not None:
            state.stack[-1] = closure
            return None
    known = _without_operation(machine, state, node)
    if known is not None:
        state.stack[-1] = known
        return None
    return machine.effect(state, node, ("LOAD_ATTR", node.arg), (state.stack[-1],), 1)


def _without_operation(machine: Machine, state: State, node: Node) -> Optional[Value]:
    """An attribute that Dynamo's code can load as often as it likes."""
    function = helper(state.stack[-1], node.arg)
    if function is not None:
        machine.used(A_HELPER)
        return function
    again = loaded_before(state, ("LOAD_ATTR", node.arg), state.stack[-1:])
    if again is not None:
        machine.used(A_PATH)
    return again


def _push_method(state: State, results: Tuple[Symbol, ...]) -> None:
    state.stack += [Half(results[0], 0), Half(results[0], 1)]


@operation("LOAD_METHOD")
def load_method(machine: Machine, state: State, node: Node) -> Step:
    function = helper(state.stack[-1], node.arg)
    if function is not None:
        machine.used(A_HELPER)
        state.stack[-1:] = [function, NULL] if NULL_ABOVE_CALLABLE else [NULL, function]
        return None
    return machine.effect(state, node, ("LOAD_ATTR", node.arg), (state.stack[-1],), 1, (), (None,), _push_method)


@operation("LOAD_SPECIAL")
def load_special(machine: Machine, state: State, node: Node) -> Step:
    return machine.effect(state, node, ("LOAD_SPECIAL", node.arg), (state.stack[-1],), 1, (), (None,), _push_method)


@operation("LOAD_SUPER_ATTR")
def load_super_attr(machine: Machine, state: State, node: Node) -> Step:
    name, method, two_arguments = cast(Tuple[str, bool, bool], node.arg)
    kind = ("LOAD_SUPER_ATTR", name, two_arguments)
    update: Optional[Update] = _push_method if method else None
    return machine.effect(state, node, kind, state.stack[-3:], 3, () if method else (0,), (None,), update)


@operation("STORE_ATTR")
def store_attr(machine: Machine, state: State, node: Node) -> Step:
    return machine.effect(state, node, ("STORE_ATTR", node.arg), state.stack[-2:], 2, (), ())


@operation("DELETE_ATTR")
def delete_attr(machine: Machine, state: State, node: Node) -> Step:
    return machine.effect(state, node, ("DELETE_ATTR", node.arg), state.stack[-1:], 1, (), ())


@operation("CALL_FUNCTION", "CALL_FUNCTION_KW")
def call_function(machine: Machine, state: State, node: Node) -> Step:
    names, taken = _keyword_names(machine, state, node, "CALL_FUNCTION_KW")
    count: int = node.arg  # type: ignore[assignment]
    first = len(state.stack) - taken - count - 1
    if first < 0:
        raise IndexError(first)
    values = state.stack[first : first + count + 1]
    return _call(machine, state, node, values, names, count + 1 + taken)


@operation("CALL", "CALL_KW")
def call(machine: Machine, state: State, node: Node) -> Step:
    names, taken = _keyword_names(machine, state, node, "CALL_KW")
    count: int = node.arg  # type: ignore[assignment]
    first = len(state.stack) - taken - count - 2
    if first < 0:
        raise IndexError(first)
    values = state.stack[first : first + count + 2]
    return _call(machine, state, node, _without_padding(machine, state, values), names, count + 2 + taken)


def _keyword_names(machine: Machine, state: State, node: Node, op: str) -> Tuple[Tuple[str, ...], int]:
    """Names of the keyword arguments, and how many slots they take."""
    if node.op != op:
        return (), 0
    names = state.stack[-1]
    if type(names) is not Const or type(names.value) is not tuple:
        raise machine.refused(state, STACK_SHAPE, f"{op} without constant names")
    return names.value, 1


def _without_padding(machine: Machine, state: State, values: Sequence[Value]) -> Sequence[Value]:
    """Callable and arguments: NULL and the callable, the halves of a method, or a callable and its first argument."""
    one, other = values[0], values[1]
    if type(one) is Half and type(other) is Half:
        if one.parts[0] is other.parts[0] and (one.parts[1], other.parts[1]) == (0, 1):
            return [one.parts[0], *values[2:]]  # type: ignore[list-item]
        raise machine.refused(state, STACK_SHAPE, "a call takes halves of different methods")
    null, function = (other, one) if NULL_ABOVE_CALLABLE else (one, other)
    return [function, *values[2:]] if null is NULL else values


def _call(
    machine: Machine, state: State, node: Node, values: Sequence[Value], names: Tuple[str, ...], pops: int
) -> Effect:
    positional = len(values) - 1 - len(names)
    if positional < 0:
        raise machine.refused(state, STACK_SHAPE, "more keyword names than arguments")
    if values[0] == ITER and positional == 1 and not names:
        machine.used(R_ITER)
        return machine.effect(state, node, ("GET_ITER", None), values[1:], pops)
    if machine.reads_frame:
        machine.used(A_FRAME)
    kind: Tuple[object, ...] = ("CALL", positional, names)
    if machine.first_local is not None and len(values) == 1:
        # super() without arguments looks at the first local.
        held = state.locals.get(machine.first_local, UNBOUND)
        if held is not UNBOUND:
            return machine.effect(state, node, (*kind, "first local"), [*values, held], pops)
    results = (OUTPUTS,) if is_graph(values[0]) else (None,)
    return machine.effect(state, node, kind, values, pops, results=results)


@operation("CALL_FUNCTION_EX")
def call_function_ex(machine: Machine, state: State, node: Node) -> Step:
    null_slot, has_keywords = cast(Tuple[bool, bool], node.arg)
    stack = state.stack
    pops = 2 + null_slot + has_keywords
    if pops > len(stack):
        raise IndexError(pops)
    keywords: Optional[Value] = stack[-1] if has_keywords and stack[-1] is not NULL else None
    arguments = stack[-1 - has_keywords]
    function, null = stack[-pops], stack[1 - pops]
    if null_slot and not NULL_ABOVE_CALLABLE:
        function, null = null, function
    if null_slot and null is not NULL:
        raise machine.refused(state, STACK_SHAPE, "CALL_FUNCTION_EX without its NULL")
    shape, values = _spread_arguments(state, arguments, pops)
    names, more = _spread_keywords(state, keywords, pops)
    if shape is not None and "*" not in shape and names is not None and None not in names:
        machine.used(R_CALLEX)
        return _call(machine, state, node, [function, *values, *more], cast(Tuple[str, ...], names), pops)
    return machine.effect(state, node, ("CALL_EX", shape, names), [function, *values, *more], pops)


def _spread_arguments(state: State, arguments: Value, pops: int) -> Tuple[Optional[str], Sequence[Value]]:
    """One letter per argument (``*`` for all elements of something) and their values; no letters when they are one
    object.
    """
    found = state.contents(arguments)
    if (
        found is None
        or found.kind not in ("list", "tuple")
        or (found.kind == "tuple" and _held(state, arguments, pops))
    ):
        return None, [arguments]
    return "".join("*" if isinstance(item, Spread) else "." for item in found.items), list(found.values())


def _spread_keywords(
    state: State, keywords: Optional[Value], pops: int
) -> Tuple[Optional[Tuple[Optional[str], ...]], Sequence[Value]]:
    """Names and values of keyword arguments, None for a merged mapping; no names when they are one mapping."""
    if keywords is None:
        return (), []
    found = state.contents(keywords)
    if found is None or found.kind != "dict" or _held(state, keywords, pops):
        return None, [keywords]
    if len(found.items) == 1 and found.items[0][0] is None:
        return None, [found.items[0][1]]
    if all(key is None or type(key.value) is str for key, _ in found.items):
        return tuple(None if key is None else key.value for key, _ in found.items), list(found.values())
    return None, [keywords]


def _held(state: State, value: Value, pops: int) -> bool:
    """Whether anything but the slots that a call takes holds a container."""
    if type(value) is not Ref:
        return False
    below = state.stack[: len(state.stack) - pops]
    if value in state.locals.values() or value in below:
        return True
    return any(isinstance(found, Container) and value in found.values() for found in state.heap.values())
