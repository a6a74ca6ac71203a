"""A handler that repeats what follows it, and then raises again, was a ``finally``.

    try: BODY                         try: BODY
    except: H; raise            =>    finally: H
    H

A guess that costs nothing: if the two copies of H do not do the same, the proof fails.
"""

from __future__ import annotations

import ast
from typing import List, Optional

from depyf.decompiler.trees import rewrite_blocks


def with_finallies(body: List[ast.stmt]) -> List[ast.stmt]:
    """``body`` with such handlers written as ``finally``, inner ones first."""
    found: List[ast.stmt] = []
    rest = list(body)
    while rest:
        statement = rest.pop(0)
        rewrite_blocks(statement, with_finallies)
        cleanup = _cleanup(statement)
        if cleanup and _same(cleanup, rest[: len(cleanup)]):
            del rest[: len(cleanup)]
            statement.handlers, statement.finalbody = [], cleanup  # type: ignore[attr-defined]
        found.append(statement)
    return found


def without_needless_flags(body: List[ast.stmt]) -> List[ast.stmt]:
    """``with`` statements after which both ways go on alike need no variable that tells the ways apart.

    completed = False                    with C: BODY
    with C: BODY; completed = True   =>  REST
    if not completed: REST
    REST
    """
    found: List[ast.stmt] = []
    rest = list(body)
    while rest:
        statement = rest.pop(0)
        for field in ("body", "orelse", "finalbody"):
            inner = getattr(statement, field, None)
            if isinstance(inner, list):
                setattr(statement, field, without_needless_flags(inner))
        flag = _flag(statement, rest)
        if flag is not None:
            made, (alternative, *after) = rest[0], rest[1:]
            if _same(alternative.body, after):  # type: ignore[attr-defined]
                statement, rest = _Unflagged(flag).visit(made), after
                statement.body = without_needless_flags(statement.body)  # type: ignore[attr-defined]
        found.append(statement)
    return found


def _flag(statement: ast.stmt, rest: List[ast.stmt]) -> Optional[str]:
    """The variable that ``statement`` sets to False, if a ``with`` follows and a test whether it is still False."""
    if not isinstance(statement, ast.Assign) or len(rest) < 2 or not isinstance(rest[0], ast.With):
        return None
    test = rest[1].test if isinstance(rest[1], ast.If) and not rest[1].orelse else None
    (target,) = statement.targets
    if not isinstance(test, ast.UnaryOp) or not isinstance(test.operand, ast.Name) or not isinstance(target, ast.Name):
        return None
    return target.id if isinstance(test.op, ast.Not) and test.operand.id == target.id else None


class _Unflagged(ast.NodeTransformer):
    """Takes out the assignments to one variable."""

    def __init__(self, name: str) -> None:
        self.name = name

    def visit_Assign(self, node: ast.Assign) -> Optional[ast.AST]:
        (target,) = node.targets[:1]
        return None if isinstance(target, ast.Name) and target.id == self.name else node


def _cleanup(statement: ast.stmt) -> Optional[List[ast.stmt]]:
    """H of a ``try`` whose only handler is ``except: H; raise``."""
    if not isinstance(statement, ast.Try) or len(statement.handlers) != 1:
        return None
    (handler,) = statement.handlers
    last = handler.body[-1]
    if handler.type is not None or not isinstance(last, ast.Raise) or last.exc is not None:
        return None
    return handler.body[:-1]


def _same(one: List[ast.stmt], other: List[ast.stmt]) -> bool:
    return len(one) == len(other) and all(ast.dump(a) == ast.dump(b) for a, b in zip(one, other))
