"""Rule for the padding of calls: stacks are compared without their NULLs.

    PUSH_NULL; LOAD_NAME m; LOAD_ATTR f; CALL 0    ==    LOAD_NAME m; LOAD_METHOD f; CALL 0

What a call passes is compared as the number of its arguments, the one in the slot for `self` included, so that padding
and arguments are never confused.
"""

from __future__ import annotations

from itertools import islice
from typing import Callable, Dict, List, Optional, Tuple

from depyf.decompiler.disassemble.graph import Graph, Handler, Node
from depyf.decompiler.disassemble.opcodes import MICRO_OPS
from depyf.decompiler.disassemble.stack import METHOD, NULL, PADDING, Stack, StackError, entry_stacks
from depyf.decompiler.verify.checks import UNBIND
from depyf.decompiler.verify.rules.rule import Unclear, rule, with_nodes
from depyf.decompiler.versions import NULL_ABOVE_CALLABLE

# Operation and operand without NULLs; None for an operation that moves nothing else.
Effective = Optional[Tuple[str, object]]


_NO_OBJECT = frozenset([NULL, PADDING, METHOD])


def _nulls_in(stack: Stack, count: int) -> int:
    """Padding among the ``count`` topmost slots."""
    return stack.nulls - stack.pop(count).nulls


def _require_objects(stack: Stack, count: int) -> None:
    if stack.nulls and not _NO_OBJECT.isdisjoint(islice(stack.from_top(), count)):
        raise Unclear


# Padding and callable among the slots below the arguments, counted from the top.
_CALL_SLOTS = (1, 2) if NULL_ABOVE_CALLABLE else (2, 1)


def _is_padded(below_arguments: Stack) -> bool:
    """Whether a call finds padding under its arguments; if not, it finds a callable and its first argument."""
    padding, callable_ = (below_arguments.peek(position) for position in _CALL_SLOTS)
    if (padding, callable_) == (PADDING, METHOD):
        return True
    if padding == NULL and callable_ not in _NO_OBJECT:
        return True
    _require_objects(below_arguments, 2)
    return False


def _call(op: str, slots_above: int) -> Callable[[Stack, int], Effective]:
    """``slots_above`` counts what lies above the arguments: the names of keyword arguments."""

    def effective(stack: Stack, count: int) -> Effective:
        _require_objects(stack, count + slots_above)
        return op, count if _is_padded(stack.pop(count + slots_above)) else count + 1

    return effective


def _call_function(op: str, slots_above: int) -> Callable[[Stack, int], Effective]:
    """A call without padding, as until 3.10; ``slots_above`` counts the callable and the names of keyword arguments."""

    def effective(stack: Stack, count: int) -> Effective:
        _require_objects(stack, count + slots_above)
        return op, count

    return effective


def _call_function_ex(stack: Stack, arg: Tuple[bool, bool]) -> Effective:
    null_slot, kwargs = arg
    if null_slot and not _is_padded(stack.pop(1 + kwargs)):
        raise Unclear
    return "CALL_FUNCTION_EX", kwargs and stack.peek() != NULL


def _load_super_attr(stack: Stack, arg: Tuple[str, bool, bool]) -> Effective:
    _require_objects(stack, 3)
    return "LOAD_SUPER_ATTR", (arg[0], arg[2])


def _load_method(stack: Stack, name: str) -> Effective:
    _require_objects(stack, 1)
    return "LOAD_ATTR", name


def _copy(stack: Stack, position: int) -> Effective:
    kind = stack.peek(position)
    if kind in (PADDING, METHOD):
        raise Unclear
    return None if kind == NULL else ("COPY", position - _nulls_in(stack, position))


def _swap(stack: Stack, position: int) -> Effective:
    top, other = stack.peek(), stack.peek(position)
    if not {PADDING, METHOD}.isdisjoint((top, other)):
        raise Unclear
    distance = position - _nulls_in(stack, position)
    if NULL not in (top, other):
        return "SWAP", distance
    if top == other or distance < 2:
        return None
    # An object changes places with a NULL: it travels past the objects in between.
    return ("SINK", distance) if other == NULL else ("LIFT", distance)


def _pop_top(stack: Stack, _arg: object) -> Effective:
    if stack.peek() == NULL:
        return None
    _require_objects(stack, 1)
    return "POP_TOP", None


def _store_fast(stack: Stack, name: str) -> Effective:
    if stack.peek() == NULL:
        return UNBIND, name
    _require_objects(stack, 1)
    return "STORE_FAST", name


def _leaves(op: str) -> Callable[[Stack, int], Effective]:
    """An operation that ends the function at the end of a statement: no call is under way."""

    def effective(stack: Stack, arg: int) -> Effective:
        if stack.nulls:
            raise Unclear
        return op, arg

    return effective


def _in_place(pops: int) -> Callable[[str, Stack, int], Effective]:
    """An operation that pops objects and changes one deeper in the stack."""

    def effective(op: str, stack: Stack, position: int) -> Effective:
        return op, position - _nulls_in(stack, pops + position)

    return effective


_WITHOUT_NULLS: Dict[str, Callable[..., Effective]] = {
    "PUSH_NULL": lambda stack, arg: None,
    "LOAD_METHOD": _load_method,
    "LOAD_SUPER_ATTR": _load_super_attr,
    "CALL": _call("CALL", 0),
    "CALL_KW": _call("CALL_KW", 1),
    "CALL_FUNCTION": _call_function("CALL", 1),
    "CALL_FUNCTION_KW": _call_function("CALL_KW", 2),
    "CALL_FUNCTION_EX": _call_function_ex,
    "COPY": _copy,
    "SWAP": _swap,
    "POP_TOP": _pop_top,
    "STORE_FAST": _store_fast,
    "RETURN_VALUE": _leaves("RETURN_VALUE"),
    "RAISE_VARARGS": _leaves("RAISE_VARARGS"),
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
    _require_objects(stack, _slots_used(node))
    in_place = _CHANGES_IN_PLACE.get(node.op)
    return (node.op, node.arg) if in_place is None else in_place(node.op, stack, node.arg)  # type: ignore[arg-type]


def _effective_handler(node: Node, stack: Stack) -> Optional[Handler]:
    handler = node.handler
    if handler is None or not stack.nulls or not MICRO_OPS[node.op].raises:
        return handler
    kept = stack.cut(handler.depth)
    # What is under way when a handler is entered stays under way: its last slot is an object.
    _require_objects(kept, 1 if kept.kind != METHOD else 0)
    return handler._replace(depth=kept.depth - kept.nulls)


_PUSHING_NULL = frozenset(["PUSH_NULL", "LOAD_METHOD", "LOAD_SUPER_ATTR"])


@rule(
    "null slots",
    "PUSH_NULL; LOAD_NAME m; LOAD_ATTR f; CALL 0  ==  LOAD_NAME m; LOAD_METHOD f; CALL 0",
    safe="NULL is no object: it tells a call which of two layouts it finds.  A method loaded along with its `self` and "
    "their bound method are called alike (Objects/classobject.c, method_vectorcall)",
    applies=lambda graph: any(node.op in _PUSHING_NULL for node in graph.nodes),
)
def null_slots(graph: Graph) -> Graph:
    """Count stack positions without NULLs, and calls by what they pass.

    Raises :class:`Unclear` if padding is used as an object, or by no call.
    """
    try:
        stacks = entry_stacks(graph, tell_methods=True)
        effective = [_effective(node, stack) for node, stack in zip(graph.nodes, stacks)]
        handlers = [_effective_handler(node, stack) for node, stack in zip(graph.nodes, stacks)]
    except (StackError, IndexError) as error:
        raise Unclear from error
    nodes: List[Node] = []
    for node, changed, handler in zip(graph.nodes, effective, handlers):
        op, arg = (node.op, node.arg) if changed is None else changed
        nodes.append(node._replace(op=op, arg=arg, handler=handler))
    return with_nodes(graph, nodes, [changed is None for changed in effective])
