"""Expressions and the clauses inside them: one function a node type, ``INLINE`` is the table.

    BinOp(a, Mult, b)   =>   TERM, [Child(a, TERM), " * ", Child(b, FACTOR)]

Every function returns the level at which its result binds, and pieces that ask levels of their children.
"""

from __future__ import annotations

import ast
from typing import Any, Callable, Dict, List, Optional, Tuple, Type

from depyf.decompiler.emit.constants import constant, is_int
from depyf.decompiler.emit.patterns import PATTERNS
from depyf.decompiler.emit.pieces import (
    AND,
    ATOM,
    AWAIT,
    BIT_AND,
    BIT_OR,
    BIT_XOR,
    COMPARISON,
    FACTOR,
    NOT,
    OR,
    PARENTHESISED,
    POWER,
    PRIMARY,
    SHIFT,
    STARRED_TUPLE,
    SUM,
    TERM,
    TEST,
    TUPLE,
    WALRUS,
    YIELD,
    Child,
    Inline,
    Piece,
    Pieces,
    Quoted,
    after,
    joined,
    listed,
    or_walrus,
    tuple_of,
)
from depyf.decompiler.emit.signatures import SIGNATURES
from depyf.decompiler.versions import STARS_IN_SUBSCRIPTS

BINARY: Dict[Type[ast.operator], Tuple[str, int]] = {
    ast.BitOr: ("|", BIT_OR),
    ast.BitXor: ("^", BIT_XOR),
    ast.BitAnd: ("&", BIT_AND),
    ast.LShift: ("<<", SHIFT),
    ast.RShift: (">>", SHIFT),
    ast.Add: ("+", SUM),
    ast.Sub: ("-", SUM),
    ast.Mult: ("*", TERM),
    ast.MatMult: ("@", TERM),
    ast.Div: ("/", TERM),
    ast.FloorDiv: ("//", TERM),
    ast.Mod: ("%", TERM),
    ast.Pow: ("**", POWER),
}
BOOLEAN: Dict[Type[ast.boolop], Tuple[str, int]] = {ast.And: (" and ", AND), ast.Or: (" or ", OR)}
COMPARISONS: Dict[Type[ast.cmpop], str] = {
    ast.Eq: " == ",
    ast.NotEq: " != ",
    ast.Lt: " < ",
    ast.LtE: " <= ",
    ast.Gt: " > ",
    ast.GtE: " >= ",
    ast.Is: " is ",
    ast.IsNot: " is not ",
    ast.In: " in ",
    ast.NotIn: " not in ",
}
UNARY: Dict[Type[ast.unaryop], Tuple[str, int]] = {
    ast.Not: ("not ", NOT),
    ast.UAdd: ("+", FACTOR),
    ast.USub: ("-", FACTOR),
    ast.Invert: ("~", FACTOR),
}
# A tuple in a subscript that holds one of these is printed without parentheses: a slice allows none, a star needs none.
_SUBSCRIPT_ITEMS = {"Slice", "Starred"} if STARS_IN_SUBSCRIPTS else {"Slice"}


# Operators


def binary(node: ast.BinOp) -> Inline:
    operator, level = BINARY[type(node.op)]
    left, right = (AWAIT, FACTOR) if level == POWER else (level, level + 1)
    return level, [Child(node.left, left), f" {operator} ", Child(node.right, right)]


def boolean(node: ast.BoolOp) -> Inline:
    operator, level = BOOLEAN[type(node.op)]
    return level, joined(([Child(value, level + 1)] for value in node.values), operator)


def unary(node: ast.UnaryOp) -> Inline:
    operator, level = UNARY[type(node.op)]
    return level, [operator, Child(node.operand, level)]


def comparison(node: ast.Compare) -> Inline:
    pieces: List[Piece] = [Child(node.left, BIT_OR)]
    for operator, operand in zip(node.ops, node.comparators):
        pieces += [COMPARISONS[type(operator)], Child(operand, BIT_OR)]
    return COMPARISON, pieces


def conditional(node: ast.IfExp) -> Inline:
    return TEST, [Child(node.body, OR), " if ", Child(node.test, OR), " else ", Child(node.orelse, TEST)]


def walrus(node: ast.NamedExpr) -> Inline:
    return WALRUS, [Child(node.target, ATOM), " := ", Child(node.value)]


def lambda_expression(node: ast.Lambda) -> Inline:
    arguments = node.args
    empty = not (arguments.args or arguments.vararg or arguments.kwonlyargs or arguments.kwarg or arguments.posonlyargs)
    return TEST, ["lambda: " if empty else "lambda ", Child(arguments), "" if empty else ": ", Child(node.body)]


def await_expression(node: ast.Await) -> Inline:
    return AWAIT, ["await ", Child(node.value, PRIMARY)]


def yield_expression(node: ast.Yield) -> Inline:
    return YIELD, ["yield", *after(" ", node.value, STARRED_TUPLE)]


def yield_from(node: ast.YieldFrom) -> Inline:
    return YIELD, ["yield from ", Child(node.value)]


# Primaries


def name(node: ast.Name) -> Inline:
    return ATOM, [node.id]


def quoted(node: ast.AST) -> Inline:
    return ATOM, [Quoted(node)]


def attribute(node: ast.Attribute) -> Inline:
    return PRIMARY, [Child(node.value, PARENTHESISED if is_int(node.value) else PRIMARY), "." + node.attr]


def call(node: ast.Call) -> Inline:
    if len(node.args) == 1 and not node.keywords and type(node.args[0]) is ast.GeneratorExp:
        return PRIMARY, [Child(node.func, PRIMARY), Child(node.args[0])]
    arguments = [or_walrus(argument) for argument in node.args] + [Child(keyword) for keyword in node.keywords]
    return PRIMARY, [Child(node.func, PRIMARY), "(", *joined([argument] for argument in arguments), ")"]


def subscript(node: ast.Subscript) -> Inline:
    return PRIMARY, [Child(node.value, PRIMARY), "[", *_index(node.slice), "]"]


def _index(node: ast.AST) -> Pieces:
    if isinstance(node, ast.Tuple) and any(type(item).__name__ in _SUBSCRIPT_ITEMS for item in node.elts):
        return _bare(node.elts)
    return [Child(node, TUPLE)]


def _bare(items: List[ast.expr]) -> Pieces:
    alone = len(items) == 1 and not isinstance(items[0], ast.Starred)
    return [*listed(items), ","] if alone else listed(items)


def slice_bounds(node: ast.Slice) -> Inline:
    return ATOM, [*after("", node.lower), ":", *after("", node.upper), *after(":", node.step)]


def index(node: Any) -> Inline:
    """Python 3.8 wraps what stands between the brackets."""
    return ATOM, [Child(node.value, TUPLE)]


def extended_slice(node: Any) -> Inline:
    """Python 3.8: several dimensions, one of them a slice; a tuple among them keeps its parentheses."""
    return ATOM, _bare([getattr(dimension, "value", dimension) for dimension in node.dims])


def starred(node: ast.Starred) -> Inline:
    return ATOM, ["*", Child(node.value, BIT_OR)]


# Displays


def tuple_display(node: ast.Tuple) -> Inline:
    return tuple_of(node.elts)


def list_display(node: ast.List) -> Inline:
    return ATOM, ["[", *joined([or_walrus(item)] for item in node.elts), "]"]


def set_display(node: ast.Set) -> Inline:
    """A set; the empty one, which the parser never makes, unpacks an empty tuple since ``{}`` is a dict."""
    return ATOM, ["{", *(listed(node.elts) or ["*()"]), "}"]


def dict_display(node: ast.Dict) -> Inline:
    return ATOM, ["{", *joined(_entry(key, value) for key, value in zip(node.keys, node.values)), "}"]


def _entry(key: Optional[ast.expr], value: ast.expr) -> Pieces:
    return ["**", Child(value, BIT_OR)] if key is None else [Child(key), ": ", Child(value)]


def list_comprehension(node: ast.ListComp) -> Inline:
    return ATOM, ["[", Child(node.elt), *_clauses(node.generators), "]"]


def set_comprehension(node: ast.SetComp) -> Inline:
    return ATOM, ["{", Child(node.elt), *_clauses(node.generators), "}"]


def generator_expression(node: ast.GeneratorExp) -> Inline:
    return ATOM, ["(", Child(node.elt), *_clauses(node.generators), ")"]


def dict_comprehension(node: ast.DictComp) -> Inline:
    return ATOM, ["{", Child(node.key), ": ", Child(node.value), *_clauses(node.generators), "}"]


def _clauses(generators: List[ast.comprehension]) -> Pieces:
    return [Child(clause) for clause in generators]


def comprehension_clause(node: ast.comprehension) -> Inline:
    keyword = " async for " if node.is_async else " for "
    pieces: List[Piece] = [keyword, Child(node.target, STARRED_TUPLE), " in ", Child(node.iter, OR)]
    for condition in node.ifs:
        pieces += [" if ", Child(condition, OR)]
    return ATOM, pieces


INLINE: Dict[str, Callable[[Any], Inline]] = {
    "Attribute": attribute,
    "Await": await_expression,
    "BinOp": binary,
    "BoolOp": boolean,
    "Call": call,
    "Compare": comparison,
    "Constant": constant,
    "Dict": dict_display,
    "DictComp": dict_comprehension,
    "ExtSlice": extended_slice,
    "FormattedValue": quoted,
    "GeneratorExp": generator_expression,
    "IfExp": conditional,
    "Index": index,
    "JoinedStr": quoted,
    "Lambda": lambda_expression,
    "List": list_display,
    "ListComp": list_comprehension,
    "Name": name,
    "NamedExpr": walrus,
    "Set": set_display,
    "SetComp": set_comprehension,
    "Slice": slice_bounds,
    "Starred": starred,
    "Subscript": subscript,
    "TemplateStr": quoted,
    "Tuple": tuple_display,
    "UnaryOp": unary,
    "Yield": yield_expression,
    "YieldFrom": yield_from,
    "comprehension": comprehension_clause,
    **PATTERNS,
    **SIGNATURES,
}
