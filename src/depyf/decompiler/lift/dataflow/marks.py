"""Dynamo's mark for profilers is one statement, also where a test says whether it is made (torch 2.15).

if profiling:
    mark = enter()  # Dynamo's mark            mark = enter() if profiling else None  # Dynamo's mark
else:                                    =>
    mark = None
"""

from __future__ import annotations

import ast
from typing import List

from depyf.decompiler.emit import with_remark
from depyf.decompiler.lift.dataflow.descriptions import MARK
from depyf.decompiler.trees import rewrite_blocks


def with_short_marks(body: List[ast.stmt]) -> List[ast.stmt]:
    """``body`` with such tests written as conditional expressions."""
    for statement in body:
        rewrite_blocks(statement, with_short_marks)
    return [_short(statement) for statement in body]


def _short(statement: ast.stmt) -> ast.stmt:
    if not isinstance(statement, ast.If) or len(statement.body) != 1 or len(statement.orelse) != 1:
        return statement
    (made,), (missing,) = statement.body, statement.orelse
    if not isinstance(made, ast.Assign) or not isinstance(missing, ast.Assign):
        return statement
    if getattr(made, "remark", None) != MARK or ast.dump(made.targets[0]) != ast.dump(missing.targets[0]):
        return statement
    choice = ast.IfExp(statement.test, made.value, missing.value)
    return with_remark(ast.Assign(made.targets, choice), MARK)
