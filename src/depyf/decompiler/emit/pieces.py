"""What printing functions speak: pieces of a line, lines of a statement, and how tightly expressions bind.

    BinOp(a, Add, b)   =>   SUM, [Child(a, SUM), " + ", Child(b, TERM)]
    While(test, body)  =>   Line(["while ", Child(test, TEST), ":"]), Block(body)

A function looks at one node and never at the text of its children; ``writer.py`` puts the pieces together without
recursion, so that depth of the tree is no limit.
"""

from __future__ import annotations

import ast
from typing import Iterable, Iterator, List, NamedTuple, Optional, Sequence, Tuple, Union

# Levels, loosest first: an expression is parenthesised where its level is lower than the one its place asks for.
# The order is that of Grammar/python.gram; a walrus comes first since only the places that allow it ask for so little.
WALRUS, YIELD, STARRED_TUPLE, TUPLE, TEST, OR, AND, NOT, COMPARISON = range(9)
BIT_OR, BIT_XOR, BIT_AND, SHIFT, SUM, TERM, FACTOR, POWER, AWAIT, PRIMARY, ATOM, PARENTHESISED = range(9, 21)


class EmitError(ValueError):
    """A tree that no source text of the running Python can say; the message names the node and the reason."""


class Comment(ast.stmt):
    """A comment on lines of its own: ``text`` (str, may have several lines, without the number sign).

    ``compile`` does not know this node: it is for trees that are printed.
    """

    _fields = ("text",)

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text


def with_remark(statement: ast.stmt, remark: Optional[str]) -> ast.stmt:
    """``statement``, printed with a comment at the end of its first line if there is a remark."""
    if remark is not None:
        statement.remark = remark  # type: ignore[attr-defined]
    return statement


class Child(NamedTuple):
    """A node in the middle of a line, to be parenthesised where it binds less tightly than ``level``."""

    node: ast.AST
    level: int = TEST


class Quoted(NamedTuple):
    """A string, bytes, f-string or t-string: its text depends on the quotes of the f-strings around it."""

    node: ast.AST


Piece = Union[str, Child, Quoted]
Pieces = Sequence[Piece]
Inline = Tuple[int, Pieces]


class Line(NamedTuple):
    """One logical line; ``node`` is the statement that begins on it.  A line of no pieces is a blank line."""

    pieces: Pieces
    node: Optional[ast.AST] = None


class Block(NamedTuple):
    """The indented statements below a line that ends in a colon."""

    body: Sequence[ast.AST]


Layout = Iterator[Union[Line, Block]]


def joined(groups: Iterable[Pieces], separator: str = ", ") -> List[Piece]:
    """The pieces of all groups in one list, with ``separator`` between the groups."""
    pieces: List[Piece] = []
    for group in groups:
        if pieces:
            pieces.append(separator)
        pieces.extend(group)
    return pieces


def listed(nodes: Iterable[ast.AST], level: int = TEST) -> List[Piece]:
    """``a, b, c``"""
    return joined([Child(node, level)] for node in nodes)


def after(keyword: str, node: Optional[ast.AST], level: int = TEST) -> Pieces:
    """``keyword`` and the node, or nothing where the optional node is absent."""
    return () if node is None else (keyword, Child(node, level))


def or_walrus(node: ast.AST, level: int = TEST) -> Child:
    """A child in a place where an assignment expression needs no parentheses (PEP 572)."""
    return Child(node, WALRUS if type(node) is ast.NamedExpr else level)


def tuple_of(items: Sequence[ast.AST]) -> Inline:
    """A tuple display, without parentheses where it has two items or more: the place decides."""
    if len(items) < 2:
        return ATOM, ["(", *listed(items), ",)" if items else ")"]
    starred = any(type(item) is ast.Starred for item in items)
    return STARRED_TUPLE if starred else TUPLE, listed(items)
