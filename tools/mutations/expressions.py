"""Changes of expressions: operators, operands, constants, names."""

from __future__ import annotations

import ast
import copy
from typing import Any, Callable, Dict, Iterator

from mutations.sites import (
    Site,
    drop_item,
    every,
    exchange_fields,
    exchange_items,
    expressions,
    kind,
    put_item,
    set_field,
)


def constants(tree: ast.AST) -> Iterator[ast.Constant]:
    unseen = {id(statement.value) for statement in every(tree, ast.Expr) if isinstance(statement.value, ast.Constant)}
    inside = {id(part) for text in every(tree, ast.JoinedStr) for part in ast.walk(text)}
    return (node for node in every(tree, ast.Constant) if id(node) not in unseen and id(node) not in inside)


_OTHER_VALUE: Dict[type, Callable[[Any], object]] = {
    int: lambda value: value + 1,
    str: lambda value: value + "x",
    bytes: lambda value: value + b"x",
    float: lambda value: value + 1,
    bool: lambda value: not value,
}


@kind
def constant_value(tree: ast.AST) -> Iterator[Site]:
    for node in constants(tree):
        change = _OTHER_VALUE.get(type(node.value))
        if change is not None:
            value = change(node.value)
            yield set_field(node, "value", value, f"{node.value!r:.30} -> {value!r:.30}")


@kind
def constant_type(tree: ast.AST) -> Iterator[Site]:
    for node in constants(tree):
        for value in _same_but_for_type(node.value):
            yield set_field(node, "value", value, f"{node.value!r:.30} -> {value!r:.30}")


def _same_but_for_type(value: object) -> Iterator[object]:
    if type(value) is int:
        if -(2**53) < value < 2**53:
            yield float(value)
            yield complex(value)
        if value in (0, 1):
            yield bool(value)
    elif type(value) is bool:
        yield int(value)
    elif type(value) is float:
        yield -value if value == 0.0 else complex(value)
    elif type(value) is str and value.isascii():
        yield value.encode()
    elif type(value) is bytes:
        yield value.decode("latin-1")
    elif value is None:
        yield False


@kind
def tuple_items(tree: ast.AST) -> Iterator[Site]:
    for node in every(tree, ast.Tuple, ast.List, ast.Set):
        if len(node.elts) > 1 and ast.dump(node.elts[0]) != ast.dump(node.elts[1]):
            yield exchange_items(node.elts, 0, 1, f"items exchanged, line {node.lineno}")
        if len(node.elts) > 1 and isinstance(node.ctx if hasattr(node, "ctx") else ast.Load(), ast.Load):
            yield drop_item(node.elts, len(node.elts) - 1, f"last item dropped, line {node.lineno}")


@kind
def display_type(tree: ast.AST) -> Iterator[Site]:
    for node in every(tree, ast.Tuple, ast.List):
        if isinstance(node.ctx, ast.Load):
            other = ast.List if isinstance(node, ast.Tuple) else ast.Tuple
            yield set_field(node, "__class__", other, f"{type(node).__name__} -> {other.__name__}")


_COMPARISONS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq, ast.Is, ast.IsNot, ast.In, ast.NotIn)


@kind
def comparison(tree: ast.AST) -> Iterator[Site]:
    for node in every(tree, ast.Compare):
        for at, operator in enumerate(node.ops):
            for other in _COMPARISONS:
                if not isinstance(operator, other):
                    yield put_item(
                        node.ops, at, other(), f"{type(operator).__name__} -> {other.__name__}, line {node.lineno}"
                    )


@kind
def identity_for_equality(tree: ast.AST) -> Iterator[Site]:
    for node in every(tree, ast.Compare):
        for at, operator in enumerate(node.ops):
            swapped = {ast.Is: ast.Eq, ast.Eq: ast.Is, ast.IsNot: ast.NotEq, ast.NotEq: ast.IsNot}.get(type(operator))
            if swapped:
                yield put_item(
                    node.ops, at, swapped(), f"{type(operator).__name__} -> {swapped.__name__}, line {node.lineno}"
                )


@kind
def chained_comparison(tree: ast.AST) -> Iterator[Site]:
    for owner, field, node in expressions(tree):
        if isinstance(node, ast.Compare) and len(node.ops) == 2:
            a, b, c = node.left, node.comparators[0], node.comparators[1]
            left = ast.Compare(a, [node.ops[0]], [b])
            right = ast.Compare(copy.deepcopy(b), [node.ops[1]], [c])
            yield set_field(owner, field, ast.BoolOp(ast.And(), [left, right]), f"chain -> and, line {node.lineno}")


_OPERATORS = (
    ast.Add,
    ast.Sub,
    ast.Mult,
    ast.Div,
    ast.FloorDiv,
    ast.Mod,
    ast.Pow,
    ast.LShift,
    ast.RShift,
    ast.BitOr,
    ast.BitAnd,
    ast.MatMult,
)


@kind
def binary_operator(tree: ast.AST) -> Iterator[Site]:
    for node in every(tree, ast.BinOp, ast.AugAssign):
        for other in _OPERATORS:
            if not isinstance(node.op, other):
                yield set_field(node, "op", other(), f"{type(node.op).__name__} -> {other.__name__}")


@kind
def operand_order(tree: ast.AST) -> Iterator[Site]:
    for node in every(tree, ast.BinOp):
        if ast.dump(node.left) != ast.dump(node.right):
            yield exchange_fields(node, "left", "right")


@kind
def unary_operator(tree: ast.AST) -> Iterator[Site]:
    for node in every(tree, ast.UnaryOp):
        other = ast.Invert if isinstance(node.op, (ast.USub, ast.Not)) else ast.USub
        yield set_field(node, "op", other(), f"{type(node.op).__name__} -> {other.__name__}")


@kind
def and_for_or(tree: ast.AST) -> Iterator[Site]:
    for node in every(tree, ast.BoolOp):
        yield set_field(node, "op", ast.Or() if isinstance(node.op, ast.And) else ast.And(), "and <-> or")
        yield exchange_items(node.values, 0, 1, f"operands of and/or exchanged, line {node.lineno}")


@kind
def generator(tree: ast.AST) -> Iterator[Site]:
    for owner, field, node in expressions(tree):
        if isinstance(node, ast.Yield) and node.value is not None:
            yield set_field(owner, field, ast.YieldFrom(node.value), f"yield -> yield from, line {node.lineno}")
            yield set_field(owner, field, node.value, f"yield dropped, line {node.lineno}")
        if isinstance(node, ast.YieldFrom):
            yield set_field(owner, field, ast.Yield(node.value), f"yield from -> yield, line {node.lineno}")
        if isinstance(node, ast.Await):
            yield set_field(owner, field, node.value, f"await dropped, line {node.lineno}")


@kind
def call_arguments(tree: ast.AST) -> Iterator[Site]:
    for node in every(tree, ast.Call):
        if len(node.args) > 1 and ast.dump(node.args[0]) != ast.dump(node.args[1]):
            yield exchange_items(node.args, 0, 1, f"arguments exchanged, line {node.lineno}")
        if node.args:
            yield drop_item(node.args, len(node.args) - 1, f"argument dropped, line {node.lineno}")
        for keyword in node.keywords:
            if keyword.arg is not None:
                yield set_field(keyword, "arg", keyword.arg + "_", f"keyword {keyword.arg} renamed, line {node.lineno}")
        if len(node.keywords) > 1:
            yield exchange_items(node.keywords, 0, 1, f"keywords exchanged, line {node.lineno}")
        if node.keywords and node.keywords[0].arg is not None and not node.args:
            yield _keyword_to_argument(node)


def _keyword_to_argument(node: ast.Call) -> Site:
    def change() -> str:
        node.args.append(node.keywords.pop(0).value)
        return f"keyword made positional, line {node.lineno}"

    return change


@kind
def star(tree: ast.AST) -> Iterator[Site]:
    for node in every(tree, ast.Call):
        for at, argument in enumerate(node.args):
            if isinstance(argument, ast.Starred):
                yield put_item(node.args, at, argument.value, f"star dropped, line {node.lineno}")
        for keyword in node.keywords:
            if keyword.arg is None:
                yield set_field(keyword, "arg", "name", f"stars dropped, line {node.lineno}")
    for node in every(tree, ast.Tuple, ast.List, ast.Set):
        for at, element in enumerate(node.elts):
            if isinstance(element, ast.Starred):
                yield put_item(node.elts, at, element.value, f"star dropped, line {node.lineno}")


@kind
def variable(tree: ast.AST) -> Iterator[Site]:
    for node in every(tree, ast.Name):
        yield set_field(node, "id", node.id + "_", f"{node.id} renamed")


@kind
def other_variable(tree: ast.AST) -> Iterator[Site]:
    names = sorted({node.id for node in every(tree, ast.Name)})
    for node in every(tree, ast.Name):
        for name in names[:6]:
            if name != node.id:
                yield set_field(node, "id", name, f"{node.id} -> {name}")


@kind
def attribute(tree: ast.AST) -> Iterator[Site]:
    for node in every(tree, ast.Attribute):
        yield set_field(node, "attr", node.attr + "_", f".{node.attr} renamed, line {node.lineno}")


@kind
def comprehension(tree: ast.AST) -> Iterator[Site]:
    for node in every(tree, ast.comprehension):
        for at, condition in enumerate(node.ifs):
            yield drop_item(node.ifs, at, "condition dropped")
            yield put_item(node.ifs, at, ast.UnaryOp(ast.Not(), condition), "condition negated")
        if node.is_async:
            yield set_field(node, "is_async", 0, "async dropped")
    for node in every(tree, ast.ListComp, ast.SetComp, ast.GeneratorExp):
        for other in (ast.ListComp, ast.SetComp, ast.GeneratorExp):
            if not isinstance(node, other):
                yield set_field(node, "__class__", other, f"{type(node).__name__} -> {other.__name__}")
        if len(node.generators) > 1:
            yield exchange_items(node.generators, 0, 1, "generators exchanged")
    for node in every(tree, ast.DictComp):
        yield exchange_fields(node, "key", "value")


@kind
def named_expression(tree: ast.AST) -> Iterator[Site]:
    for owner, field, node in expressions(tree):
        if isinstance(node, ast.NamedExpr):
            yield set_field(owner, field, node.value, f"walrus dropped, line {node.lineno}")


@kind
def formatted(tree: ast.AST) -> Iterator[Site]:
    for node in every(tree, ast.FormattedValue):
        yield set_field(node, "conversion", ord("r") if node.conversion != ord("r") else -1, "conversion changed")
        if node.format_spec is not None:
            yield set_field(node, "format_spec", None, "format dropped")
    for node in every(tree, ast.JoinedStr):
        for part in node.values:
            if isinstance(part, ast.Constant):
                yield set_field(part, "value", part.value + "x", "text changed")


@kind
def subscript(tree: ast.AST) -> Iterator[Site]:
    for node in every(tree, ast.Slice):
        for field in ("lower", "upper", "step"):
            present = getattr(node, field) is not None
            yield set_field(node, field, None if present else ast.Constant(7), f"{field} of a slice")
    for owner, field, node in expressions(tree):
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
            yield set_field(owner, field, node.value, f"subscript dropped, line {node.lineno}")


@kind
def dictionary(tree: ast.AST) -> Iterator[Site]:
    for node in every(tree, ast.Dict):
        if len(node.keys) > 1:
            yield exchange_items(node.values, 0, 1, f"values exchanged, line {node.lineno}")
        for at, key in enumerate(node.keys):
            if key is None:
                yield put_item(node.keys, at, ast.Constant("key"), f"stars dropped, line {node.lineno}")
