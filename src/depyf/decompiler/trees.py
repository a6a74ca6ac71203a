"""Syntax trees, walked fast."""

from __future__ import annotations

import ast
from typing import Any, Callable, Iterator, List


def nodes_of(tree: ast.AST) -> Iterator[ast.AST]:
    """As :func:`ast.walk`, which takes most of its time for the contexts of names: without these."""
    pending: List[Any] = [tree]
    for node in pending:
        yield node
        for name in node._fields:
            value = getattr(node, name, None)
            if type(value) is list:
                pending += (each for each in value if isinstance(each, ast.AST))
            elif isinstance(value, ast.AST) and name != "ctx":
                pending.append(value)


def rewrite_blocks(statement: ast.AST, rewrite: Callable[[List[ast.stmt]], List[ast.stmt]]) -> None:
    """Put ``rewrite`` of each block of statements in ``statement``, those of handlers included, in its place."""
    for name in ("body", "orelse", "finalbody"):
        block = getattr(statement, name, None)
        if isinstance(block, list):
            setattr(statement, name, rewrite(block))
    for handler in getattr(statement, "handlers", ()):
        handler.body = rewrite(handler.body)
