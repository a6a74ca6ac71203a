"""Blocks of statements that compile to the same: where control leaves them, and what follows."""

from __future__ import annotations

import ast
import sys
from typing import Any, Optional, Sequence, Type

from normalisations.rules import LOOPS, SCOPES, Statements, block, literal

LEAVING = (ast.Return, ast.Raise, ast.Break, ast.Continue)


def breaks(body: Sequence[ast.AST]) -> bool:
    """Whether a ``break`` in ``body`` leaves the loop that it is the body of."""
    pending = list(body)
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Break):
            return True
        if isinstance(node, LOOPS):
            pending += node.orelse
        elif not isinstance(node, (*SCOPES, ast.expr)):
            pending += ast.iter_child_nodes(node)
    return False


def leaves(body: Sequence[ast.stmt]) -> bool:
    """Whether control never runs off the end of ``body``."""
    last = body[-1] if body else None
    if isinstance(last, LEAVING):
        return True
    if isinstance(last, ast.If):
        return leaves(last.body) and leaves(last.orelse)
    if isinstance(last, ast.While):
        return literal(last.test) == (True,) and not breaks(last.body)
    if isinstance(last, ast.Try):
        handled = all(leaves(handler.body) for handler in last.handlers)
        return leaves(last.finalbody) or (handled and (leaves(last.body) or leaves(last.orelse)))
    return False


@block("return; a  =>  return", "what cannot be reached is dropped")
def reachable(body: Statements) -> Statements:
    for number in range(len(body)):
        if leaves(body[: number + 1]):
            return body[: number + 1]
    return body


@block("if a: return else: b  =>  if a: return; b", "nothing jumps past b")
def else_after_leaving(body: Statements) -> Statements:
    result: Statements = []
    for item in body:
        result.append(item)
        if isinstance(item, ast.If) and leaves(item.body):
            rest, item.orelse = item.orelse, []
            result += rest
    return result


@block("try: a except: return else: b  =>  try: a except: return; b", "nothing jumps past b")
def try_else(body: Statements) -> Statements:
    result: Statements = []
    for item in body:
        result.append(item)
        if isinstance(item, ast.Try) and item.orelse and all(leaves(handler.body) for handler in item.handlers):
            rest, item.orelse = item.orelse, []
            result += rest
    return result


TAIL = (
    "if a: b; continue; c  =>  if a: b else: c   (at the end of a loop; return at the end of a function)",
    "running off the end does what the jump does",
)


def without_tail(body: Statements, jump: Type[ast.stmt]) -> Statements:
    """``body`` without jumps to where it ends anyway; what such a jump skips becomes the else part."""
    for number, item in enumerate(body):
        rest = body[number + 1 :]
        if rest and isinstance(item, ast.If) and not item.orelse and _ends_in(item.body, jump):
            return without_tail([*body[:number], ast.If(item.test, item.body[:-1] or [ast.Pass()], rest)], jump)
    if _ends_in(body, jump):
        return without_tail(body[:-1], jump)
    if body and isinstance(body[-1], ast.Try) and body[-1].orelse and not body[-1].finalbody:
        return [*body[:-1], *_without_else(body[-1], jump)]
    last = body[-1] if body else None
    for part in _tails(last):
        setattr(last, part, without_tail(getattr(last, part), jump) or ([] if part == "orelse" else [ast.Pass()]))
    for inner in [*getattr(last, "handlers", []), *getattr(last, "cases", [])]:
        inner.body = without_tail(inner.body, jump) or [ast.Pass()]
    return body


TRY_TAIL = (
    "try: a except: b else: c  =>  try: a except: b; return; c   (at the end of a function; continue in a loop)",
    "only handlers jump past c",
)


def _without_else(node: ast.Try, jump: Type[ast.stmt]) -> Statements:
    for handler in node.handlers:
        if not leaves(handler.body):
            handler.body = [*handler.body, jump(value=None) if jump is ast.Return else jump()]
    rest, node.orelse = node.orelse, []
    return [node, *rest]


def _ends_in(body: Sequence[ast.stmt], jump: Type[ast.stmt]) -> bool:
    return bool(body) and isinstance(body[-1], jump) and getattr(body[-1], "value", None) is None


def _tails(last: Optional[ast.stmt]) -> Sequence[str]:
    if isinstance(last, ast.If):
        return ("body", "orelse")
    if isinstance(last, (ast.With, ast.AsyncWith)):
        return ("body",)
    if isinstance(last, ast.Try):
        return ("orelse",) if last.orelse else ("body",)
    return ()


DOCSTRINGS = (
    '"""a, indented"""  =>  """a"""   (since Python 3.13)',
    "the compiler takes the indentation away (Python/compile.c)",
)


def docstring(item: Any) -> ast.stmt:
    """The docstring without the indentation of its lines."""
    if sys.version_info < (3, 13):
        return item
    return ast.Expr(ast.Constant("\n".join(line.lstrip() for line in item.value.value.split("\n"))))


def is_docstring(item: ast.stmt) -> bool:
    """Whether a statement is a text alone."""
    return isinstance(item, ast.Expr) and isinstance(item.value, ast.Constant) and isinstance(item.value.value, str)
