"""Every node class of the running Python has its place in a table."""

from __future__ import annotations

import ast
import warnings
from typing import Iterator, Type

from depyf.decompiler.emit.expressions import BINARY, BOOLEAN, COMPARISONS, INLINE, UNARY
from depyf.decompiler.emit.statements import STATEMENTS

# Printed by `emit` itself, or by the statement they belong to, or no more than a mark on a name.
ELSEWHERE = {"Module", "Interactive", "Expression", "FunctionType", "ExceptHandler", "Interpolation", "TypeIgnore"}
CONTEXTS = {"Load", "Store", "Del"}
# Classes that the parser of no supported Python makes.
DEPRECATED = {"Num", "Str", "Bytes", "NameConstant", "Ellipsis", "Suite", "Param", "AugLoad", "AugStore"}


def node_classes() -> Iterator[Type[ast.AST]]:
    """The concrete node classes of ``ast``."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        members = [getattr(ast, name) for name in dir(ast)]
    classes = [member for member in members if isinstance(member, type) and issubclass(member, ast.AST)]
    parents = {parent for node_class in classes for parent in node_class.__bases__ if parent is not ast.Constant}
    return (node_class for node_class in classes if node_class not in parents)


def test_no_node_class_is_missed() -> None:
    operators = {node_class.__name__ for table in (BINARY, BOOLEAN, COMPARISONS, UNARY) for node_class in table}
    known = set(INLINE) | set(STATEMENTS) | operators | ELSEWHERE | CONTEXTS | DEPRECATED
    names = {node_class.__name__ for node_class in node_classes()}
    assert names - known == set()
    assert {"BinOp", "Module", "Add", "Constant", "If"} <= names


def test_no_function_has_two_places() -> None:
    assert not set(INLINE) & set(STATEMENTS)
