"""Which statements enclose a block, told by the operand stack and the handlers instead of by the order of instructions.

A slot that holds an iterator lives inside its ``for``, a bound ``__exit__`` inside its ``with``, a saved exception
state inside its ``except`` clause; a handler
guards the inside of its ``try``.  A handler keeps ``depth`` slots: what they hold is around the ``try``, what lies
above is inside it.
"""

from __future__ import annotations

from typing import Dict, List, NamedTuple, Optional, Tuple

from depyf.decompiler.lift.blocks import Block, Blocks
from depyf.decompiler.lift.values import Exit, Iter, Previous, Raised
from depyf.decompiler.structure.handlers import Purpose

FOR = "for"
WITH = "with"
CLAUSE = "clause"
TRY = "try"


class Scope(NamedTuple):
    """One enclosing statement: its kind, and what identifies it (a marker's identity, or a handler's first block)."""

    kind: str
    key: int


def scopes_of(blocks: Blocks, found: Dict[int, Purpose]) -> Dict[int, Tuple[Scope, ...]]:
    """The statements around each block, outermost first."""
    chains: Dict[int, Tuple[Tuple[int, Scope], ...]] = {}
    return {number: _scopes(block, blocks, found, chains) for number, block in blocks.by_number.items()}


_Chain = Tuple[Tuple[int, Scope], ...]


def _scopes(block: Block, blocks: Blocks, found: Dict[int, Purpose], chains: Dict[int, _Chain]) -> Tuple[Scope, ...]:
    placed: List[Tuple[int, int, Scope]] = []
    for index, value in enumerate(block.entry):
        scope = _marked(value)
        if scope is not None and (not placed or placed[-1][2] != scope):
            placed.append((index, 1, scope))
    placed += [(depth, 0, scope) for depth, scope in reversed(_chain(block, blocks, found, chains))]
    placed.sort(key=lambda item: item[:2])
    return tuple(scope for _depth, _order, scope in placed)


def _marked(value: object) -> Optional[Scope]:
    if isinstance(value, Iter):
        return Scope(FOR, id(value))
    if isinstance(value, Exit):
        return Scope(WITH, id(value))
    if isinstance(value, (Previous, Raised)):
        return Scope(CLAUSE, value.handler)
    return None


def _chain(block: Block, blocks: Blocks, found: Dict[int, Purpose], chains: Dict[int, _Chain]) -> _Chain:
    """Try statements around a block, innermost first, each with the number of stack slots around it."""
    trail: List[Block] = []
    place: Optional[Block] = block
    while place is not None and place.number not in chains:
        trail.append(place)
        chains[place.number] = ()
        place = blocks.by_number.get(place.handler.target) if place.handler is not None else None
    for step in reversed(trail):
        if step.handler is not None:
            outer = chains.get(step.handler.target, ())
            if found.get(step.handler.target) in (Purpose.EXCEPT, Purpose.FINALLY):
                outer = ((step.handler.depth, Scope(TRY, step.handler.target)), *outer)
            chains[step.number] = outer
    return chains[block.number]
