"""A handler that repeats what follows it, and then raises again, was a ``finally``.

    try: BODY                         try: BODY
    except: H; raise            =>    finally: H
    H

A guess that costs nothing: if the two copies of H do not do the same, the proof fails.
"""

from __future__ import annotations

import ast
from typing import List, Optional


def with_finallies(body: List[ast.stmt]) -> List[ast.stmt]:
    """``body`` with such handlers written as ``finally``, inner ones first."""
    found: List[ast.stmt] = []
    rest = list(body)
    while rest:
        statement = rest.pop(0)
        for field in ("body", "orelse", "finalbody"):
            inner = getattr(statement, field, None)
            if isinstance(inner, list):
                setattr(statement, field, with_finallies(inner))
        for handler in getattr(statement, "handlers", ()):
            handler.body = with_finallies(handler.body)
        cleanup = _cleanup(statement)
        if cleanup and _same(cleanup, rest[: len(cleanup)]):
            del rest[: len(cleanup)]
            statement.handlers, statement.finalbody = [], cleanup  # type: ignore[attr-defined]
        found.append(statement)
    return found


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
