"""Compile printed source without a word about it.

Warnings about the program were shown when it was compiled the first time.  ``warnings.catch_warnings`` is the last
resort: it lets warnings that a program shows once per place show again, and other threads see it (Lib/warnings.py,
``_filters_mutated``).
"""

from __future__ import annotations

import ast
import re
import warnings
from types import CodeType
from typing import Callable, Dict

# Text without any of these needs no look at its syntax tree: something that is called or indexed and is no name; `is`;
# an assertion of a tuple; a `finally`, out of which a jump may lead.
_MAY_WARN = re.compile(r"[)\]}'\"][(\[]|(?<!\w)[\d.]+[(\[]|\b(True|False|None)[(\[]|\bis\b|\bassert\ \(|\bfinally:")

_TEXT = (ast.JoinedStr, ast.FormattedValue)
_COLLECTED = (ast.Tuple, ast.List, ast.ListComp, ast.Dict, ast.DictComp, ast.Set, ast.SetComp, ast.GeneratorExp)
# Python/compile.c and codegen.c: check_caller, check_subscripter, check_index, check_is_arg, assertions.
_NOT_CALLABLE = (ast.Constant, *_TEXT, *_COLLECTED)
_INDEXED_BY_NUMBERS = (ast.Constant, *_TEXT, ast.Tuple, ast.List, ast.ListComp)
_NOT_INDEXED = (ast.Set, ast.SetComp, ast.GeneratorExp, ast.Lambda)


def compile_quietly(source: str, filename: str, flags: int = 0) -> CodeType:
    """The module code object of ``source``, compiled with the ``__future__`` features in ``flags`` and no others.

    Raises what ``compile`` raises: SyntaxError, ValueError, RecursionError, MemoryError.
    """
    if not _MAY_WARN.search(source) or not any(map(_warns, ast.walk(ast.parse(source)))):
        return _compiled(source, filename, flags)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return _compiled(source, filename, flags)


def _compiled(source: str, filename: str, flags: int) -> CodeType:
    code: CodeType = compile(source, filename, "exec", flags=flags, dont_inherit=True)
    return code


def _warns(node: ast.AST) -> bool:
    """Whether the compiler may warn about a node, whatever is in it."""
    about = _WARNINGS.get(type(node))
    return about is not None and about(node)


def _folded(node: ast.expr) -> ast.expr:
    """A number for what becomes one, such as -1 and -(1 + 2j)."""
    while isinstance(node, (ast.UnaryOp, ast.BinOp)):
        node = node.operand if isinstance(node, ast.UnaryOp) else node.right
    return node


def _calls_a_literal(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(_folded(node.func), _NOT_CALLABLE)


def _indexes_a_literal(node: ast.AST) -> bool:
    literals = (*_NOT_INDEXED, *_INDEXED_BY_NUMBERS)
    return isinstance(node, ast.Subscript) and isinstance(_folded(node.value), literals)


def _compares_the_identity_of_a_literal(node: ast.AST) -> bool:
    assert isinstance(node, ast.Compare)
    by_identity = any(isinstance(operator, (ast.Is, ast.IsNot)) for operator in node.ops)
    return by_identity and any(map(_is_literal, [node.left, *node.comparators]))


def _is_literal(node: ast.expr) -> bool:
    node = _folded(node)
    singletons = (type(None), bool, type(...))
    return isinstance(node, ast.Tuple) or (isinstance(node, ast.Constant) and not isinstance(node.value, singletons))


def _asserts_a_tuple(node: ast.AST) -> bool:
    return isinstance(node, ast.Assert) and isinstance(node.test, (ast.Tuple, ast.Constant))


def _may_leave_a_finally(node: ast.AST) -> bool:
    inside = (inner for statement in getattr(node, "finalbody", ()) for inner in ast.walk(statement))
    return any(isinstance(inner, (ast.Return, ast.Break, ast.Continue)) for inner in inside)


_WARNINGS: Dict[type, Callable[[ast.AST], bool]] = {
    ast.Call: _calls_a_literal,
    ast.Subscript: _indexes_a_literal,
    ast.Compare: _compares_the_identity_of_a_literal,
    ast.Assert: _asserts_a_tuple,
    ast.Try: _may_leave_a_finally,
    getattr(ast, "TryStar", ast.Try): _may_leave_a_finally,
}
