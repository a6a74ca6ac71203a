"""The operations that patterns consist of (PEP 634): a function each, which moves slots and notes what is tested.

GET_LEN; LOAD_CONST 2; COMPARE_OP ==        =>        Test(("length", slot, "==", 2))
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Callable, Dict, Tuple, cast

from depyf.decompiler.disassemble.constants import Const
from depyf.decompiler.disassemble.graph import Node
from depyf.decompiler.lift.expressions import EXPRESSIONS, constant, is_none
from depyf.decompiler.lift.pattern_slots import Keys, Length, NoPattern, Rest, Slot, Test, Values

if TYPE_CHECKING:
    from depyf.decompiler.lift.patterns import PatternRun

_Rule = Callable[["PatternRun", Node], None]
PATTERN_OPERATIONS: Dict[str, _Rule] = {}


def rule(*ops: str) -> Callable[[_Rule], _Rule]:
    """Register the function that runs an operation."""

    def register(function: _Rule) -> _Rule:
        for op in ops:
            PATTERN_OPERATIONS[op] = function
        return function

    return register


@rule("COPY")
def _copy(run: PatternRun, node: Node) -> None:
    value = run.peek(cast(int, node.arg))
    if isinstance(value, ast.expr):
        raise NoPattern
    run.stack.append(value)


@rule("SWAP")
def _swap(run: PatternRun, node: Node) -> None:
    depth = cast(int, node.arg)
    run.peek(depth)
    run.stack[-1], run.stack[-depth] = run.stack[-depth], run.stack[-1]


@rule("POP_TOP")
def _pop_top(run: PatternRun, _node: Node) -> None:
    value = run.pop((Slot, Values, Keys, ast.Tuple))
    if isinstance(value, Slot):
        run.note("dropped", value)


@rule("LOAD_CONST")
def _load_const(run: PatternRun, node: Node) -> None:
    run.stack.append(_literal(cast(Const, node.arg).value))


def _literal(value: object) -> ast.expr:
    if isinstance(value, tuple):
        return ast.Tuple([_literal(item) for item in value], ast.Load())
    return _complex(value) if isinstance(value, complex) else constant(value)


def _complex(value: complex) -> ast.expr:
    """A complex number as patterns can have it: an imaginary number, or a real number plus or minus one."""
    imaginary = complex(0.0, abs(value.imag))
    part = ast.Constant(imaginary)
    if repr(imaginary) == repr(value):
        return part
    if repr(-imaginary) == repr(value):
        return ast.UnaryOp(ast.USub(), part)
    less = repr(value.real - imaginary) == repr(value)
    return ast.BinOp(constant(value.real), ast.Sub() if less else ast.Add(), part)


@rule("LOAD_ATTR")
def _load_attr(run: PatternRun, node: Node) -> None:
    run.stack.append(EXPRESSIONS["LOAD_ATTR"](node.arg, run.pop(ast.expr)))


@rule("BUILD_TUPLE")
def _build_tuple(run: PatternRun, node: Node) -> None:
    values = [run.pop(ast.expr) for _index in range(cast(int, node.arg))]
    run.stack.append(ast.Tuple(values[::-1], ast.Load()))


@rule("MATCH_SEQUENCE", "MATCH_MAPPING")
def _match_kind(run: PatternRun, node: Node) -> None:
    slot = run.peek(1)
    if not isinstance(slot, Slot):
        raise NoPattern
    run.stack.append(Test(("kind", slot, node.op)))


@rule("GET_LEN")
def _get_len(run: PatternRun, _node: Node) -> None:
    slot = run.peek(1)
    if not isinstance(slot, Slot):
        raise NoPattern
    run.stack.append(Length(slot, 0))


@rule("BINARY_OP")
def _minus(run: PatternRun, node: Node) -> None:
    count = _integer(run.pop(ast.Constant))
    length = run.pop(Length)
    if node.arg != "-":
        raise NoPattern
    run.stack.append(Length(length.slot, count))


def _integer(node: ast.Constant) -> int:
    if type(node.value) is not int:
        raise NoPattern
    return node.value


@rule("COMPARE_OP")
def _compare(run: PatternRun, node: Node) -> None:
    right = run.pop(ast.expr)
    left = run.pop(object)
    if isinstance(left, Length) and node.arg in ("==", ">="):
        run.stack.append(Test(("length", left.slot, node.arg, _integer(right))))
    elif isinstance(left, Slot) and node.arg == "==":
        run.stack.append(Test(("value", left, right)))
    else:
        raise NoPattern


@rule("IS_OP")
def _is(run: PatternRun, node: Node) -> None:
    right = run.pop(ast.Constant)
    left = run.pop(object)
    if isinstance(left, Values) and is_none(right):
        run.stack.append(Test(("found", left.slot), wanted=node.arg == 1))
    elif isinstance(left, Slot) and node.arg == 0:
        run.stack.append(Test(("singleton", left, right.value)))
    else:
        raise NoPattern


@rule("MATCH_CLASS", "MATCH_CLASS_AND_SUCCESS")
def _match_class(run: PatternRun, node: Node) -> None:
    names = run.pop(ast.Tuple)
    kind = run.pop(ast.expr)
    slot = run.pop(Slot)
    run.note("class", slot, kind, node.arg, [name.value for name in names.elts])
    run.stack.append(Values(slot))
    if node.op == "MATCH_CLASS_AND_SUCCESS":
        run.stack.append(Test(("found", slot)))


@rule("MATCH_KEYS", "MATCH_KEYS_AND_SUCCESS")
def _match_keys(run: PatternRun, node: Node) -> None:
    keys = run.pop(ast.Tuple)
    slot = run.peek(1)
    if not isinstance(slot, Slot):
        raise NoPattern
    run.note("keys", slot, keys.elts)
    run.stack += [Keys(slot, tuple(keys.elts)), Values(slot)]
    if node.op == "MATCH_KEYS_AND_SUCCESS":
        run.stack.append(Test(("found", slot)))


@rule("UNPACK_SEQUENCE")
def _unpack_sequence(run: PatternRun, node: Node) -> None:
    source = run.pop(object)
    count = cast(int, node.arg)
    if isinstance(source, Keys) and len(source.exprs) == count:
        run.stack += reversed(source.exprs)
    elif isinstance(source, (Values, Slot)):
        parts = [Slot() for _index in range(count)]
        slot = source.slot if isinstance(source, Values) else source
        for index, part in enumerate(parts):
            run.note("part", slot, index, part)
        run.note("unpacked", slot)
        run.stack += reversed(parts)
    else:
        raise NoPattern


@rule("UNPACK_EX")
def _unpack_ex(run: PatternRun, node: Node) -> None:
    slot = run.pop(Slot)
    before, after = cast(Tuple[int, int], node.arg)
    parts = [Slot() for _index in range(before + 1 + after)]
    for index, part in enumerate(parts[:before]):
        run.note("part", slot, index, part)
    run.note("star", slot, parts[before])
    for index, part in enumerate(parts[before + 1 :]):
        run.note("part", slot, index - after, part)
    run.note("unpacked", slot)
    run.stack += reversed(parts)


@rule("BINARY_SUBSCR")
def _subscript(run: PatternRun, _node: Node) -> None:
    index = run.pop(object)
    source = run.pop(object)
    part = Slot()
    if isinstance(index, Length) and source is index.slot:
        run.note("part", source, -index.less, part)
    elif isinstance(index, ast.Constant) and isinstance(source, (Slot, Values)):
        run.note("part", source.slot if isinstance(source, Values) else source, _integer(index), part)
    else:
        raise NoPattern
    run.stack.append(part)


@rule("BUILD_MAP")
def _build_map(run: PatternRun, node: Node) -> None:
    if node.arg:
        raise NoPattern
    run.stack.append(Rest())


@rule("DICT_UPDATE")
def _dict_update(run: PatternRun, node: Node) -> None:
    slot = run.pop(Slot)
    rest = run.peek(cast(int, node.arg))
    if not isinstance(rest, Rest):
        raise NoPattern
    run.note("rest", slot, rest)


@rule("DELETE_SUBSCR")
def _delete_subscript(run: PatternRun, _node: Node) -> None:
    run.pop(ast.expr)
    run.pop(Rest)


@rule("COPY_DICT_WITHOUT_KEYS")
def _copy_dict_without_keys(run: PatternRun, _node: Node) -> None:
    keys = run.pop(Keys)
    rest = Rest()
    run.note("rest", keys.slot, rest)
    run.stack.append(rest)
