"""From a syntax tree of the standard library to source text: the only place where source text is made.

    Module([If(Name("a"), [Pass()], [])])   =>   if a:
                                                     pass

What is promised: ``ast.parse(emit(tree))`` is the same tree for every tree that the parser of the running Python makes,
and the same program for constants that only a compiler makes (negative numbers, NaN, tuples).  Comments are nodes.
"""

from __future__ import annotations

import ast

from depyf.decompiler.emit.pieces import (
    STARRED_TUPLE,
    TUPLE,
    Child,
    Comment,
    EmitError,
    Layout,
    Line,
    listed,
    with_remark,
)
from depyf.decompiler.emit.statements import statements
from depyf.decompiler.emit.writer import Source, write

__all__ = ["Comment", "EmitError", "Source", "emit", "emit_source", "with_remark"]


def emit(tree: ast.AST, indent: int = 4) -> str:
    """The source text of a module, a statement or an expression, ending with a line break.

    Args:
        tree: any node that stands for itself; every list and every required field is set.
        indent: number of spaces by which a block stands further in.

    Raises:
        EmitError: the tree holds a node or a value that no text of the running Python can say.
    """
    return emit_source(tree, indent).text


def emit_source(tree: ast.AST, indent: int = 4) -> Source:
    """As ``emit``, with the line on which every statement begins."""
    return write(_layout(tree), indent)


def _layout(tree: ast.AST) -> Layout:
    if isinstance(tree, (ast.Module, ast.Interactive)):
        return statements(tree.body, top=True)
    if isinstance(tree, ast.Expression):
        return iter([Line([Child(tree.body, TUPLE)])])
    if isinstance(tree, ast.FunctionType):
        return iter([Line(["(", *listed(tree.argtypes), ") -> ", Child(tree.returns)])])
    if isinstance(tree, ast.stmt):
        return statements([tree], top=True)
    return iter([Line([Child(tree, STARRED_TUPLE)])])
