"""Unbinding the name of an ``except`` clause, where no handler tells it from statements.

    STORE_FAST e; POP_EXCEPT
    LOAD_CONST None; STORE_FAST e; DELETE_FAST e -> after   =>   STORE_FAST e; POP_EXCEPT -> after

A clause that no exception leaves has no handler that unbinds its name, so that there is nothing to compare copies with.
"""

from __future__ import annotations

from typing import List, Sequence, Set

from depyf.decompiler.disassemble.graph import Node
from depyf.decompiler.disassemble.opcodes import MICRO_OPS
from depyf.decompiler.disassemble.stack import EXCEPTION, Stack
from depyf.decompiler.lift.ends import unbinds
from depyf.decompiler.structure.chains import Chains
from depyf.decompiler.versions import FINALLY_IS_A_SUBROUTINE, HANDLER_PUSHES_SIX

# Operands of the POP_EXCEPT that a named clause is left by until 3.8: falling out and jumping look different.
FALLS_OUT = "falls out"
JUMPS = "jumps"
# What lies on the stack because of a clause when it binds its name.
_CLAUSE_SLOTS = 5 if HANDLER_PUSHES_SIX else 2
UNWINDING = frozenset(["SWAP", "POP_TOP", "POP_EXCEPT"])


def drop_unguarded_unbinding(nodes: List[Node], stacks: Sequence[Stack], named: Set[int], chains: Chains) -> None:
    """Drop the unbinding of clause names whose body no exception leaves; handlers that unbind are ``named``."""
    for number, node in enumerate(nodes):
        if not node.op.startswith("STORE_") or not stacks[number].depth or stacks[number].peek() != EXCEPTION:
            continue
        if any(handler in named for handler in chains(node.next[0]) if handler not in chains(number)):
            continue
        left = stacks[number].depth - _CLAUSE_SLOTS
        seen = {number}
        pending = [node.next[0]]
        while pending:
            place = pending.pop()
            if place in seen or stacks[place].depth <= left:
                continue
            seen.add(place)
            handler = nodes[place].handler
            if handler is not None and MICRO_OPS[nodes[place].op].raises:
                pending.append(handler.target)
            pending += [way for way in nodes[place].next if not _drop_unbinding(nodes, place, way, node)]


def _drop_unbinding(nodes: List[Node], place: int, start: int, binding: Node) -> bool:
    """Let ``place`` lead behind what starts at ``start`` if that unbinds a name on the way out of its clause."""
    trail = [start]
    while len(trail) < 4 and len(nodes[trail[-1]].next) == 1:
        trail.append(nodes[trail[-1]].next[0])
    if len(trail) < 4 or not unbinds([nodes[number] for number in trail], binding):
        return False
    jumps = nodes[place].op == "POP_EXCEPT"
    if not jumps and nodes[trail[3]].op not in UNWINDING:
        return False
    nodes[place] = nodes[place]._replace(next=tuple(trail[3] if way == start else way for way in nodes[place].next))
    if FINALLY_IS_A_SUBROUTINE:
        tell_how_it_leaves(nodes, place if jumps else trail[3], JUMPS if jumps else FALLS_OUT)
    return True


def tell_how_it_leaves(nodes: List[Node], number: int, way: str) -> None:
    """Mark the POP_EXCEPT that a named clause is left by."""
    while nodes[number].op == "SWAP":
        number = nodes[number].next[0]
    if nodes[number].op == "POP_EXCEPT":
        nodes[number] = nodes[number]._replace(arg=way)
