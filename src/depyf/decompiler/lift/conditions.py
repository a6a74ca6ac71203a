"""Conditions: negation, and what the compiler makes equal."""

from __future__ import annotations

import ast
from typing import Dict, Type

_OPPOSITE: Dict[Type[ast.cmpop], Type[ast.cmpop]] = {
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}


def negated(test: ast.expr) -> ast.expr:
    """A condition that is true when ``test`` is false, written with as few ``not`` as possible.

    ``is`` and ``in`` have opposites that test the same; an order comparison has none, because it can be overridden.
    ``and`` and ``or`` exchange when that
    saves a ``not`` (a branch tests every operand for truth either way).
    """
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return test.operand
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and type(test.ops[0]) in _OPPOSITE:
        return ast.Compare(test.left, [_OPPOSITE[type(test.ops[0])]()], test.comparators)
    if isinstance(test, ast.BoolOp) and nots(test, negate=True) <= nots(test, negate=False):
        return exchanged(test)
    return ast.UnaryOp(ast.Not(), test)


def exchanged(test: ast.BoolOp) -> ast.BoolOp:
    """De Morgan: the negation of ``test`` with its operands negated."""
    return ast.BoolOp(
        ast.Or() if isinstance(test.op, ast.And) else ast.And(), [negated(value) for value in test.values]
    )


def nots(test: ast.expr, negate: bool) -> int:
    """How many ``not`` it takes to write ``test``, or its negation with the negation pushed down to the operands."""
    total = 0
    pending = [(test, negate)]
    while pending:
        node, negative = pending.pop()
        if isinstance(node, ast.BoolOp):
            pending += [(value, negative) for value in node.values]
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            total += not negative
        elif not (isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in _OPPOSITE):
            total += negative
    return total
