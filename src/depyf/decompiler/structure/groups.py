"""Where control goes behind ``except*``: its clauses have one common end, because no jump may leave them (PEP 654)."""

from __future__ import annotations

from typing import Optional

from depyf.decompiler.lift.blocks import Block
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
