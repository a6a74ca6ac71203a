"""Small rewritings of finished statements that compile to the same: the way people write them."""

from __future__ import annotations

import ast
from typing import List, Optional

from depyf.decompiler.lift.expressions import is_none
from depyf.decompiler.versions import FINALLY_IS_A_SUBROUTINE


def without_final_return(body: List[ast.stmt]) -> List[ast.stmt]:
    """``return None`` is not written where falling out does the same; elsewhere it is ``return``."""
    for statement in body:
        _shorten_returns(statement)
    return _without_final(body)


def _shorten_returns(statement: ast.stmt) -> None:
    for node in _nested(statement):
        if isinstance(node, ast.Return) and is_none(node.value):
            node.value = None


def _nested(statement: ast.stmt) -> List[ast.stmt]:
    """A statement and those in it, bodies of functions and classes aside: they have been tidied."""
    found = [statement]
    for inner in found:
        if isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            continue
        for name in ("body", "orelse", "finalbody"):
            found += getattr(inner, name, None) or []
        for name in ("handlers", "cases"):
            for part in getattr(inner, name, None) or []:
                found += part.body
    return found


def _without_final(body: List[ast.stmt]) -> List[ast.stmt]:
    if not body:
        return body
    last = body[-1]
    if isinstance(last, ast.Return) and last.value is None:
        return _without_final(body[:-1])
    if isinstance(last, ast.If):
        last.body = _without_final(last.body) or [ast.Pass()]
        last.orelse = _without_final(last.orelse)
    elif isinstance(last, (ast.With, ast.AsyncWith)):
        last.body = _without_final(last.body) or [ast.Pass()]
    elif isinstance(last, ast.Try):
        _end_try_by_falling_out(last)
    for case in getattr(last, "cases", []):
        case.body = _without_final(case.body) or [ast.Pass()]
    return body


def _end_try_by_falling_out(statement: ast.Try) -> None:
    if statement.orelse:
        statement.orelse = _without_final(statement.orelse)
    else:
        statement.body = _without_final(statement.body) or [ast.Pass()]
    for handler in statement.handlers:
        # Until 3.8 a named clause restores the exception state first when it returns, and last when it falls out.
        if handler.name is None or not FINALLY_IS_A_SUBROUTINE:
            handler.body = _without_final(handler.body) or [ast.Pass()]


def annotated_assignments(body: List[ast.stmt]) -> List[ast.stmt]:
    """``x = v`` and ``__annotations__['x'] = T``  =>  ``x: T = v``."""
    result: List[ast.stmt] = []
    for statement in body:
        for name in ("body", "orelse", "finalbody"):
            inner = getattr(statement, name, None)
            if isinstance(inner, list) and not isinstance(
                statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
            ):
                setattr(statement, name, annotated_assignments(inner))
        name_of = _annotated_name(statement)
        if name_of is None:
            result.append(statement)
            continue
        assert isinstance(statement, ast.Assign)
        value = None
        if result and _assigns(result[-1], name_of):
            value = result.pop().value  # type: ignore[attr-defined]
        result.append(ast.AnnAssign(ast.Name(name_of, ast.Store()), statement.value, value, 1))
    return result


def _annotated_name(statement: ast.stmt) -> Optional[str]:
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return None
    target = statement.targets[0]
    if (
        not isinstance(target, ast.Subscript)
        or not isinstance(target.value, ast.Name)
        or target.value.id != "__annotations__"
    ):
        return None
    index = getattr(target.slice, "value", target.slice)
    index = getattr(index, "value", index)
    return index if isinstance(index, str) and index.isidentifier() else None


def _assigns(statement: ast.stmt, name: str) -> bool:
    return (
        isinstance(statement, ast.Assign)
        and len(statement.targets) == 1
        and isinstance(statement.targets[0], ast.Name)
        and statement.targets[0].id == name
    )
