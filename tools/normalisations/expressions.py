"""Expressions that compile to the same, and conditions of which only the truth matters."""

from __future__ import annotations

import ast
import operator
import re
import sys
from typing import Any, Callable, Dict, List, Optional, Sequence

from normalisations.rules import LOAD, expression, literal, literal_node


def negated(test: ast.expr) -> ast.expr:
    """A condition that holds where ``test`` does not, ``not`` as far inside as it goes."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return test.operand
    if isinstance(test, ast.BoolOp):
        return ast.BoolOp(
            ast.And() if isinstance(test.op, ast.Or) else ast.Or(), [negated(value) for value in test.values]
        )
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and type(test.ops[0]) in _OPPOSITE:
        return ast.Compare(test.left, [_OPPOSITE[type(test.ops[0])]()], test.comparators)
    return ast.UnaryOp(ast.Not(), test)


_OPPOSITE: Dict[type, type] = {ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is}


def condition(test: ast.expr) -> ast.expr:
    """``test`` where only its truth matters."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        inner = condition(test.operand)
        return negated(inner)
    if isinstance(test, ast.BoolOp):
        return flattened(ast.BoolOp(test.op, [condition(value) for value in test.values])) or test
    return test


@expression(
    "if not (a or b): ...  =>  if not a and not b: ...",
    "the tests jump to the same places",
    ast.If,
    ast.While,
    ast.IfExp,
    ast.Assert,
)
def tests(node: Any) -> None:
    node.test = condition(node.test)


@expression(
    "[x for x in y if a if b]  =>  [x for x in y if a and b]", "the tests jump to the same places", ast.comprehension
)
def filters(node: ast.comprehension) -> None:
    if node.ifs:
        both = node.ifs[0] if len(node.ifs) == 1 else ast.BoolOp(ast.And(), node.ifs)
        node.ifs = [condition(both)]


@expression("not a in b  =>  a not in b", "one instruction with one operand", ast.UnaryOp)
def negated_comparison(node: ast.UnaryOp) -> Optional[ast.expr]:
    operand = node.operand
    if isinstance(node.op, ast.Not) and isinstance(operand, ast.Compare) and len(operand.ops) == 1:
        opposite = _OPPOSITE.get(type(operand.ops[0]))
        return ast.Compare(operand.left, [opposite()], operand.comparators) if opposite else None
    return None


@expression("a and (b and c)  =>  a and b and c", "jumps to jumps are threaded", ast.BoolOp)
def flattened(node: ast.BoolOp) -> Optional[ast.expr]:
    values: List[ast.expr] = []
    for value in node.values:
        values += value.values if isinstance(value, ast.BoolOp) and type(value.op) is type(node.op) else [value]
    return ast.BoolOp(node.op, values)


_BINARY: Dict[type, Callable[[Any, Any], object]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.Pow: operator.pow, ast.LShift: operator.lshift,
    ast.RShift: operator.rshift, ast.BitOr: operator.or_, ast.BitXor: operator.xor, ast.BitAnd: operator.and_,
}  # fmt: skip
_UNARY: Dict[type, Callable[[Any], object]] = {
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Invert: operator.inv,
    ast.Not: operator.not_,
}
# Python/ast_opt.c: MAX_INT_SIZE, MAX_STR_SIZE, MAX_COLLECTION_SIZE.
MAX_INT_BITS, MAX_STR, MAX_COLLECTION = 128, 4096, 256


@expression("24 * 60  =>  1440", "constants are folded (Python/ast_opt.c, Python/flowgraph.c)", ast.BinOp, ast.UnaryOp)
def folded(node: Any) -> Optional[ast.expr]:
    operands = [node.left, node.right] if isinstance(node, ast.BinOp) else [node.operand]
    values = [literal(operand) for operand in operands]
    function = (_BINARY if isinstance(node, ast.BinOp) else _UNARY).get(type(node.op))
    if not all(values) or function is None or _is_huge(node, [value[0] for value in values]):
        return None
    try:
        result = function(*(value[0] for value in values))
    except Exception:
        return None
    return literal_node(result) if _is_small(result) else None


def _is_huge(node: Any, values: Sequence[object]) -> bool:
    if not isinstance(node.op, (ast.Pow, ast.LShift, ast.Mult)):
        return False
    return any(
        isinstance(value, int) and value > 100_000 for value in values[1:] if isinstance(node.op, (ast.Pow, ast.LShift))
    )


def _is_small(value: object) -> bool:
    if isinstance(value, int):
        return value.bit_length() <= MAX_INT_BITS
    if isinstance(value, (str, bytes)):
        return len(value) <= MAX_STR
    return not isinstance(value, tuple) or len(value) <= MAX_COLLECTION


def index_of(node: ast.Subscript) -> ast.expr:
    """What stands between the brackets; an ``ast.Index`` around it until Python 3.8."""
    inner: ast.expr = getattr(node.slice, "value", node.slice) if type(node.slice).__name__ == "Index" else node.slice
    return inner


@expression("(1, 2)[0]  =>  1", "constants are folded", ast.Subscript)
def folded_subscript(node: ast.Subscript) -> Optional[ast.expr]:
    container, index = literal(node.value), literal(index_of(node))
    if not (container and index and isinstance(node.ctx, ast.Load)):
        return None
    try:
        return literal_node(container[0][index[0]])  # type: ignore[index]
    except (TypeError, IndexError, KeyError):
        return None


@expression("a if True else b  =>  a", "the arm that is never taken is dropped", ast.IfExp)
def constant_choice(node: ast.IfExp) -> Optional[ast.expr]:
    value = literal(node.test)
    return (node.body if value[0] else node.orelse) if value else None


@expression("a[None:b]  =>  a[:b]", "None stands for a bound that is left out", ast.Slice)
def slice_bounds(node: ast.Slice) -> None:
    for name in ("lower", "upper", "step"):
        if literal(getattr(node, name) or node) == (None,):
            setattr(node, name, None)


@expression(
    "yield None  =>  yield;  return None  =>  return",
    "None is what is yielded or returned otherwise",
    ast.Yield,
    ast.Return,
)
def without_none(node: Any) -> None:
    if node.value is not None and literal(node.value) == (None,):
        node.value = None


@expression("[a, b] = c  =>  a, b = c", "both unpack", ast.List)
def list_target(node: ast.List) -> Optional[ast.expr]:
    return ast.Tuple(node.elts, node.ctx) if isinstance(node.ctx, (ast.Store, ast.Del)) else None


@expression(
    "for x in [a, b]: ...  =>  for x in (a, b): ...",
    "a list that is only iterated over is built as a tuple",
    ast.For,
    ast.comprehension,
)
def iterated_list(node: Any) -> None:
    node.iter = _as_tuple(node.iter)


@expression(
    "x in [a, b]  =>  x in (a, b);  x in {2, 1}  =>  x in {1, 2}", "the container becomes a constant", ast.Compare
)
def searched_container(node: ast.Compare) -> None:
    last = node.comparators[-1]
    if isinstance(node.ops[-1], (ast.In, ast.NotIn)):
        node.comparators[-1] = _as_tuple(last)
        if isinstance(last, ast.Set) and all(literal(item) for item in last.elts):
            by_text = {ast.dump(item): item for item in last.elts}
            last.elts = [by_text[text] for text in sorted(by_text)]


def _as_tuple(node: ast.expr) -> ast.expr:
    plain = isinstance(node, ast.List) and not any(isinstance(item, ast.Starred) for item in node.elts)
    return ast.Tuple(node.elts, LOAD) if isinstance(node, ast.List) and plain else node


@expression("__debug__  =>  True", "compiled without -O", ast.Name)
def debug(node: ast.Name) -> Optional[ast.expr]:
    return ast.Constant(True) if node.id == "__debug__" else None


@expression('f"a"  =>  "a"', "an f-string without fields is a constant", ast.JoinedStr)
def plain_fstring(node: ast.JoinedStr) -> Optional[ast.expr]:
    values = [literal(part) for part in node.values]
    return ast.Constant("".join(str(value[0]) for value in values)) if all(values) else None


@expression(
    '"%s" % (a,)  =>  f"{a!s}"   (since Python 3.11)', "the compiler writes it so (Python/ast_opt.c)", ast.BinOp
)
def percent(node: ast.BinOp) -> Optional[ast.expr]:
    template = literal(node.left)
    if sys.version_info < (3, 11) or not (
        template and isinstance(node.op, ast.Mod) and isinstance(node.right, ast.Tuple)
    ):
        return None
    texts = re.split(r"%([sra])", template[0]) if isinstance(template[0], str) else []
    fields = [ast.FormattedValue(value, ord(kind), None) for value, kind in zip(node.right.elts, texts[1::2])]
    if "%" in "".join(texts[::2]) or not len(fields) == len(texts) // 2 == len(node.right.elts):
        return None
    parts: List[ast.expr] = [
        part for pair in zip(map(literal_node, texts[::2]), [*fields, ast.Constant("")]) for part in pair
    ]
    return ast.JoinedStr([part for part in parts if literal(part) != ("",)])
