"""A machine that runs effect graphs on real values: what each micro-operation means, said once more and independently.

    [("LOAD_FAST", "a"), ("LOAD_CONST", 1), ("BINARY_OP", "+"), ("RETURN_VALUE", None)]   with a = 2   =>   3

It knows what random straight-line bytecode is made of: no calls, no names, no handlers.
"""

from __future__ import annotations

import operator
from typing import Callable, Dict, Iterable, List, NamedTuple, Set

from depyf.decompiler.disassemble import Graph
from depyf.decompiler.disassemble.constants import Const


class Ended(NamedTuple):
    """How a run ended (``returns`` or ``raises``), and with what."""

    how: str
    value: object


Stack = List[object]
Locals = Dict[str, object]
Row = Callable[[Stack, object, Locals], None]

_BINARY = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "@": operator.matmul, "/": operator.truediv,
    "//": operator.floordiv, "%": operator.mod, "**": operator.pow, "<<": operator.lshift, ">>": operator.rshift,
    "&": operator.and_, "|": operator.or_, "^": operator.xor,
}  # fmt: skip
_INPLACE = {
    "+=": operator.iadd, "-=": operator.isub, "*=": operator.imul, "@=": operator.imatmul, "/=": operator.itruediv,
    "//=": operator.ifloordiv, "%=": operator.imod, "**=": operator.ipow, "<<=": operator.ilshift,
    ">>=": operator.irshift, "&=": operator.iand, "|=": operator.ior, "^=": operator.ixor,
}  # fmt: skip
_OPERATORS = {**_BINARY, **_INPLACE}
_COMPARISONS = {
    "<": operator.lt, "<=": operator.le, "==": operator.eq, "!=": operator.ne, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
_CONVERSIONS = {"": lambda value: value, "s": str, "r": repr, "a": ascii}


def run_graph(graph: Graph, variables: Locals) -> object:
    """What a graph returns.

    Raises whatever its operations raise, and NotImplementedError for one that has no row.
    """
    stack: Stack = []
    number = graph.entry
    while True:
        node = graph.nodes[number]
        if node.op == "RETURN_VALUE":
            return stack.pop()
        if node.op not in ROWS:
            raise NotImplementedError(node.op)
        ROWS[node.op](stack, node.arg, variables)
        (number,) = node.next


def _taken(stack: Stack, count: int) -> Stack:
    values = stack[len(stack) - count :]
    del stack[len(stack) - count :]
    return values


def _function(count: int, function: Callable[..., object]) -> Row:
    """Takes ``count`` slots and leaves what ``function`` gives for them."""
    return lambda stack, _arg, _locals: stack.append(function(*_taken(stack, count)))


def _with_operand(count: int, function: Callable[..., object]) -> Row:
    return lambda stack, arg, _locals: stack.append(function(arg, *_taken(stack, count)))


def _display(function: Callable[[Stack], object]) -> Row:
    return lambda stack, arg, _locals: stack.append(function(_taken(stack, arg)))  # type: ignore[arg-type]


def _changes(count: int, change: Callable[..., object]) -> Row:
    """Takes ``count`` slots and changes the object that then is as far down as the operand says."""

    def row(stack: Stack, arg: int, _locals: Locals) -> None:
        values = _taken(stack, count)
        change(stack[-arg], *values)

    return row  # type: ignore[return-value]


def _pop_top(stack: Stack, _arg: object, _locals: Locals) -> None:
    stack.pop()


def _swap(stack: Stack, depth: int, _locals: Locals) -> None:
    stack[-1], stack[-depth] = stack[-depth], stack[-1]


def _store_subscript(value: object, container: Dict[object, object], index: object) -> None:
    container[index] = value


def _pairs(values: Stack) -> Dict[object, object]:
    return dict(zip(values[::2], values[1::2]))


def _set_of(parts: Iterable[Iterable[object]]) -> object:
    """A set into which everything was put in order: how it was made shows in the order of its items."""
    made: Set[object] = set()
    for part in parts:
        made.update(part)
    return made


def _update(target: Dict[object, object], mapping: Dict[object, object]) -> None:
    target.update({**mapping})  # unlike dict.update, only mappings will do


def _joined(kind: Callable[[Stack], object]) -> Callable[[Stack], object]:
    return lambda parts: kind([item for part in parts for item in part])  # type: ignore[attr-defined]


def _merged(parts: Stack) -> Dict[object, object]:
    return {key: value for part in parts for key, value in part.items()}  # type: ignore[attr-defined]


def _unpack(stack: Stack, count: int, _locals: Locals) -> None:
    values = list(stack.pop())  # type: ignore[call-overload]
    if len(values) != count:
        raise ValueError("a sequence of another length")
    stack += reversed(values)


def _unpack_ex(stack: Stack, arg: object, _locals: Locals) -> None:
    before, behind = arg  # type: ignore[misc]
    values = list(stack.pop())  # type: ignore[call-overload]
    if len(values) < before + behind:
        raise ValueError("a sequence that is too short")
    end = len(values) - behind
    stack += reversed([*values[:before], values[before:end], *values[end:]])


def _format_value(arg: object, value: object, spec: str = "") -> str:
    return format(_CONVERSIONS[arg[0]](value), spec)  # type: ignore[index]


def _formatted(stack: Stack, arg: object, _locals: Locals) -> None:
    stack.append(_format_value(arg, *_taken(stack, 2 if arg[1] else 1)))  # type: ignore[index]


def _load_fast(stack: Stack, name: object, variables: Locals) -> None:
    if name not in variables:
        raise UnboundLocalError(name)
    stack.append(variables[str(name)])


def _store_fast(stack: Stack, name: object, variables: Locals) -> None:
    variables[str(name)] = stack.pop()


def _contains(arg: object, item: object, container: object) -> bool:
    return (item in container) is (arg == 0)  # type: ignore[operator]


def _get_len(stack: Stack, _arg: object, _locals: Locals) -> None:
    stack.append(len(stack[-1]))  # type: ignore[arg-type]


def _constant(stack: Stack, arg: object, _locals: Locals) -> None:
    assert isinstance(arg, Const)
    stack.append(arg.value)


ROWS: Dict[str, Row] = {
    "NOP": lambda _stack, _arg, _locals: None,
    "LOAD_CONST": _constant,
    "LOAD_FAST": _load_fast,
    "STORE_FAST": _store_fast,
    "POP_TOP": _pop_top,
    "COPY": lambda stack, arg, _locals: stack.append(stack[-arg]),  # type: ignore[operator]
    "SWAP": _swap,  # type: ignore[dict-item]
    "UNARY_NEGATIVE": _function(1, operator.neg),
    "UNARY_POSITIVE": _function(1, operator.pos),
    "UNARY_INVERT": _function(1, operator.invert),
    "UNARY_NOT": _function(1, operator.not_),
    "TO_BOOL": _function(1, bool),
    "BINARY_OP": _with_operand(2, lambda symbol, one, other: _OPERATORS[symbol](one, other)),
    "BINARY_SUBSCR": _function(2, operator.getitem),
    "STORE_SUBSCR": lambda stack, _arg, _locals: _store_subscript(*_taken(stack, 3)),  # type: ignore[arg-type]
    "DELETE_SUBSCR": lambda stack, _arg, _locals: operator.delitem(*_taken(stack, 2)),  # type: ignore[call-overload]
    "COMPARE_OP": _with_operand(2, lambda symbol, one, other: _COMPARISONS[symbol](one, other)),
    "IS_OP": _with_operand(2, lambda arg, one, other: (one is other) is (arg == 0)),
    "CONTAINS_OP": _with_operand(2, _contains),
    "BUILD_TUPLE": _display(tuple),
    "BUILD_LIST": _display(list),
    "BUILD_SET": _display(lambda items: _set_of([item] for item in items)),
    "BUILD_MAP": lambda stack, arg, _locals: stack.append(_pairs(_taken(stack, 2 * arg))),  # type: ignore[operator]
    "BUILD_CONST_KEY_MAP": lambda stack, arg, _locals: stack.append(
        dict(zip(stack.pop(), _taken(stack, arg)))  # type: ignore[call-overload,arg-type]
    ),
    "BUILD_STRING": _display(lambda parts: "".join(map(str, parts))),
    "BUILD_SLICE": _display(lambda ends: slice(*ends)),
    "BUILD_TUPLE_UNPACK": _display(_joined(tuple)),
    "BUILD_LIST_UNPACK": _display(_joined(list)),
    "BUILD_SET_UNPACK": _display(_set_of),  # type: ignore[arg-type]
    "BUILD_MAP_UNPACK": _display(_merged),
    "LIST_APPEND": _changes(1, list.append),
    "SET_ADD": _changes(1, set.add),
    "MAP_ADD": _changes(2, dict.__setitem__),
    "LIST_EXTEND": _changes(1, list.extend),
    "SET_UPDATE": _changes(1, set.update),
    "DICT_UPDATE": _changes(1, _update),
    "LIST_TO_TUPLE": _function(1, tuple),
    "UNPACK_SEQUENCE": _unpack,  # type: ignore[dict-item]
    "UNPACK_EX": _unpack_ex,
    "GET_ITER": _function(1, iter),
    "GET_LEN": _get_len,
    "FORMAT_VALUE": _formatted,
    "CONVERT_VALUE": _with_operand(1, lambda arg, value: _CONVERSIONS[arg](value)),
    "FORMAT_SIMPLE": _function(1, format),
    "FORMAT_WITH_SPEC": _function(2, format),
}
