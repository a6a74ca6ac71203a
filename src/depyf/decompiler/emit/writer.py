"""Pieces and lines put together, without recursion: what is still to be printed waits on a stack.

[Child(a + b), " * ", Child(c)]   =>   "(a + b) * c"
"""

from __future__ import annotations

import ast
from typing import Any, Dict, List, Mapping, NamedTuple

from depyf.decompiler.emit.expressions import INLINE
from depyf.decompiler.emit.fstrings import fstring, lone_field, template
from depyf.decompiler.emit.pieces import Block, Child, EmitError, Layout, Piece, Pieces, Quoted
from depyf.decompiler.emit.statements import statements
from depyf.decompiler.emit.strings import Around, string_literal


def text_of(pieces: Pieces, around: Around = ()) -> str:
    """The text of pieces inside the f-strings whose delimiters are ``around``."""
    texts: List[str] = []
    waiting: List[Piece] = list(reversed(pieces))
    while waiting:
        piece = waiting.pop()
        if isinstance(piece, str):
            texts.append(piece)
        elif isinstance(piece, Quoted):
            texts.append(_quoted(piece.node, around))
        else:
            waiting += _expanded(piece)
    return "".join(texts)


def _expanded(child: Child) -> Pieces:
    """The pieces of a child, last one first."""
    printer = INLINE.get(type(child.node).__name__)
    if printer is None:
        raise EmitError(f"{type(child.node).__name__}: not an expression that can be printed")
    level, pieces = printer(child.node)
    return (")", *reversed(pieces), "(") if level < child.level else pieces[::-1]


def _quoted(node: Any, around: Around) -> str:
    if isinstance(node, ast.Constant):
        return string_literal(node, around)
    return _FORMATTED[type(node).__name__](node, around, _child_text)


def _child_text(child: Child, around: Around) -> str:
    return text_of([child], around)


_FORMATTED = {"JoinedStr": fstring, "TemplateStr": template, "FormattedValue": lone_field}


class Source(NamedTuple):
    """Printed text, and the line (from 1) on which each statement, handler and case begins."""

    text: str
    lines: Mapping[ast.AST, int]

    def line_of(self, node: ast.AST) -> int:
        """The line of a node's first token, decorators apart; KeyError for nodes that begin no line."""
        return self.lines[node]


def write(layout: Layout, indent: int) -> Source:
    """All lines of a layout; each nested block stands ``indent`` spaces further in."""
    texts: List[str] = []
    lines: Dict[ast.AST, int] = {}
    number = 1
    open_blocks = [layout]
    while open_blocks:
        item = next(open_blocks[-1], None)
        if item is None:
            open_blocks.pop()
        elif isinstance(item, Block):
            open_blocks.append(statements(item.body))
        else:
            text = text_of(item.pieces)
            texts.append(" " * (indent * (len(open_blocks) - 1)) + text + "\n" if text else "\n")
            if item.node is not None:
                lines.setdefault(item.node, number)
            number += 1 + text.count("\n")
    return Source("".join(texts), lines)
