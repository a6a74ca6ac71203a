"""Rule for the padding of calls: stacks are compared without their NULLs.

    PUSH_NULL; LOAD_NAME m; LOAD_ATTR f; CALL 0    ==    LOAD_NAME m; LOAD_METHOD f; CALL 0

What a call passes is compared as the number of its arguments, the one in the slot for `self` included, so that padding
and arguments are never confused.
"""

from __future__ import annotations

from typing import Callable, Dict, List, Optional, Tuple

from depyf.decompiler.disassemble.graph import Graph, Handler, Node
from depyf.decompiler.disassemble.opcodes import MICRO_OPS
from depyf.decompiler.disassemble.stack import NULL, Stack, StackError, entry_stacks
from depyf.decompiler.verify.checks import UNBIND
from depyf.decompiler.verify.rules.rule import rule, with_nodes
from depyf.decompiler.versions import NULL_ABOVE_CALLABLE

# Operation and operand without NULLs; None for an operation that moves nothing else.
Effective = Optional[Tuple[str, object]]


class _Unclear(Exception):
    """A NULL is used as an object: the graph stays as it is."""


def _nulls_in(stack: Stack, count: int) -> int:
    """NULLs among the ``count`` topmost slots."""
    return stack.nulls - stack.pop(count).nulls


def _call(op: str, slots_above: int) -> Callable[[Stack, int], Effective]:
    """``slots_above`` counts what lies above the arguments: the names of keyword arguments."""

    def effective(stack: Stack, count: int) -> Effective:
        lower = stack.pop(count + slots_above)
        if _nulls_in(stack, count + slots_above):
            raise _Unclear
        if not _nulls_in(lower, 2):
            return op, count + 1
        padding, callable_ = (1, 2) if NULL_ABOVE_CALLABLE else (2, 1)
        if lower.peek(padding) != NULL or lower.peek(callable_) == NULL:
            raise _Unclear
        return op, count

    return effective


def _call_function_ex(stack: Stack, arg: Tuple[bool, bool]) -> Effective:
    null_slot, kwargs = arg
    has_kwargs = kwargs and stack.peek() != NULL
    lower = stack.pop(1 + kwargs)
    if null_slot:
        padding, callable_ = (1, 2) if NULL_ABOVE_CALLABLE else (2, 1)
        if lower.peek(padding) != NULL or lower.peek(callable_) == NULL:
            raise _Unclear
    return "CALL_FUNCTION_EX", has_kwargs


def _copy(stack: Stack, position: int) -> Effective:
    return None if stack.peek(position) == NULL else ("COPY", position - _nulls_in(stack, position))


def _swap(stack: Stack, position: int) -> Effective:
    top, other = stack.peek(), stack.peek(position)
    distance = position - _nulls_in(stack, position)
    if NULL not in (top, other):
        return "SWAP", distance
    if top == other or distance < 2:
        return None
    # An object changes places with a NULL: it travels past the objects in between.
    return ("SINK", distance) if other == NULL else ("LIFT", distance)


def _in_place(pops: int) -> Callable[[str, Stack, int], Effective]:
    """An operation that pops objects and changes one deeper in the stack."""

    def effective(op: str, stack: Stack, position: int) -> Effective:
        return op, position - _nulls_in(stack, pops + position)

    return effective


_WITHOUT_NULLS: Dict[str, Callable[..., Effective]] = {
    "PUSH_NULL": lambda stack, arg: None,
    "LOAD_METHOD": lambda stack, arg: ("LOAD_ATTR", arg),
    "LOAD_SUPER_ATTR": lambda stack, arg: ("LOAD_SUPER_ATTR", (arg[0], arg[2])),
    "CALL": _call("CALL", 0),
    "CALL_KW": _call("CALL_KW", 1),
    "CALL_FUNCTION": lambda stack, count: ("CALL", count),
    "CALL_FUNCTION_KW": lambda stack, count: ("CALL_KW", count),
    "CALL_FUNCTION_EX": _call_function_ex,
    "COPY": _copy,
    "SWAP": _swap,
    "POP_TOP": lambda stack, arg: None if stack.peek() == NULL else ("POP_TOP", arg),
    "STORE_FAST": lambda stack, arg: (UNBIND if stack.peek() == NULL else "STORE_FAST", arg),
}
_CHANGES_IN_PLACE = {
    "LIST_APPEND": _in_place(1),
    "SET_ADD": _in_place(1),
    "MAP_ADD": _in_place(2),
    "LIST_EXTEND": _in_place(1),
    "SET_UPDATE": _in_place(1),
    "DICT_UPDATE": _in_place(1),
    "DICT_MERGE": _in_place(1),
}


def _slots_used(node: Node) -> int:
    """How many of the topmost slots ``node`` pops or looks at; what it changes in place is not counted."""
    used = MICRO_OPS[node.op].effect(node.arg)[0]
    if node.op == "RERAISE" and isinstance(node.arg, int):
        return used + node.arg
    if node.op == "WITH_EXCEPT_START":
        return 4
    return used - node.arg if node.op in _CHANGES_IN_PLACE and isinstance(node.arg, int) else used


def _effective(node: Node, stack: Stack) -> Effective:
    row = _WITHOUT_NULLS.get(node.op)
    if row is not None:
        return row(stack, node.arg)
    if not stack.nulls:
        return node.op, node.arg
    if _nulls_in(stack, _slots_used(node)):
        raise _Unclear
    in_place = _CHANGES_IN_PLACE.get(node.op)
    return (node.op, node.arg) if in_place is None else in_place(node.op, stack, node.arg)  # type: ignore[arg-type]


def _effective_handler(node: Node, stack: Stack) -> Optional[Handler]:
    handler = node.handler
    if handler is None or not stack.nulls or not MICRO_OPS[node.op].raises:
        return handler
    return handler._replace(depth=handler.depth - stack.cut(handler.depth).nulls)


_PUSHING_NULL = frozenset(["PUSH_NULL", "LOAD_METHOD", "LOAD_SUPER_ATTR"])


@rule(
    "null slots",
    "PUSH_NULL; LOAD_NAME m; LOAD_ATTR f; CALL 0  ==  LOAD_NAME m; LOAD_METHOD f; CALL 0",
    safe="NULL is no object: it tells a call which of two layouts it finds.  A method loaded along with its `self` and "
    "their bound method are called alike (Objects/classobject.c, method_vectorcall)",
    applies=lambda graph: any(node.op in _PUSHING_NULL for node in graph.nodes),
)
def null_slots(graph: Graph) -> Graph:
    """Count stack positions without NULLs, and calls by what they pass."""
    try:
        stacks = entry_stacks(graph)
        effective = [_effective(node, stack) for node, stack in zip(graph.nodes, stacks)]
    except (_Unclear, StackError, IndexError):
        return graph
    nodes: List[Node] = []
    for node, stack, changed in zip(graph.nodes, stacks, effective):
        op, arg = (node.op, node.arg) if changed is None else changed
        nodes.append(node._replace(op=op, arg=arg, handler=_effective_handler(node, stack)))
    return with_nodes(graph, nodes, [changed is None for changed in effective])
