"""Where control goes behind ``except*``: its clauses have one common end, because no jump may leave them (PEP 654)."""

from __future__ import annotations

import ast
from typing import List, Optional

from depyf.decompiler.lift.blocks import RETURN, Block
from depyf.decompiler.lift.values import ExceptionTest
from depyf.decompiler.structure.heads import Layout
from depyf.decompiler.structure.scopes import CLAUSE, Scope


def tests_groups(first: Block) -> bool:
    """Whether the first block of a handler belongs to ``except*``."""
    return isinstance(first.test, ExceptionTest) and first.test.group


def left_by_clauses(layout: Layout, handler: int, otherwise: Optional[int]) -> Optional[int]:
    """The block that the clauses of a handler lead to; ``otherwise`` if they never end, or if there are several."""
    clause = Scope(CLAUSE, handler)
    targets = {
        target
        for number, scopes in layout.scopes.items()
        if clause in scopes
        for target in layout.block(number).next
        if clause not in layout.scopes[target]
    }
    return targets.pop() if len(targets) == 1 else otherwise


def without_return(body: List[ast.stmt], follow: Block) -> List[ast.stmt]:
    """``body`` without an empty ``return`` at its end, where the end of the clauses is one, too."""
    last = body[-1] if body else None
    if follow.kind != RETURN or follow.body or not isinstance(last, ast.Return):
        return body
    return body[:-1] if is_nothing(last.value) and is_nothing(follow.test) else body


def is_nothing(value: object) -> bool:
    """Whether a value is the constant None, or no value at all."""
    return value is None or (isinstance(value, ast.Constant) and value.value is None)
