"""Loops: what is inside, what is behind, and what ``else`` is for.

    b1: if n then b2 else b3         while n:
    b2: body; jump b1          =>        body
    b3: rest                         rest

A loop that several blocks leave is followed by the one that falling out of it and ``break`` both reach; the others are
written inside of it, before the jump.
"""

from __future__ import annotations

import ast
import math
from typing import TYPE_CHECKING, Dict, List, Optional, Sequence, Set

from depyf.decompiler.lift.binding import LoopTarget
from depyf.decompiler.lift.blocks import BRANCH, RERAISE, RETURN
from depyf.decompiler.lift.conditions import negated
from depyf.decompiler.lift.expressions import STORE
from depyf.decompiler.lift.values import Iter
from depyf.decompiler.structure.jumps import Around
from depyf.decompiler.structure.matches import is_in_match, subject_of
from depyf.decompiler.versions import HANDLERS_COME_LAST

if TYPE_CHECKING:
    from depyf.decompiler.structure.statements import Walk


def while_loop(walk: Walk, number: int, around: Around, body: List[ast.stmt]) -> Optional[int]:
    block = walk.layout.block(number)
    members = walk.loops[number]
    outside = [target for target in block.next if target not in members]
    tested = block.kind == BRANCH and not block.body and len(outside) == 1 and subject_of(block) is None
    if tested and outside[0] not in around:
        # What is laid out between the blocks of the loop is the body of an `if` in it.
        tested = not _inline(walk, outside[0], _latest(walk, number)) or walk.only_returns(outside[0])
    exhausted = outside[0] if tested else None
    breaks = _breaks(walk, number, members, exit_from=number if tested else None)
    follow, leave = _loop_follow(walk, number, exhausted, breaks, around, members)
    inner = Around(number, number, leave, around.inside)
    if not tested:
        inside = _body_of_endless_loop(walk, number, inner)
        body.append(ast.While(ast.Constant(True), strip_continue(inside), []))
        return follow
    test = block.test
    if not isinstance(test, ast.expr):
        raise walk.refused(number, f"a loop on {type(test).__name__}")
    start = next(target for target in block.next if target in members)
    if block.next[0] != start:
        test = negated(test)
    inside = walk.arm(start, inner)
    orelse = _else_of_loop(walk, exhausted, follow, around)
    body.append(ast.While(test, strip_continue(inside) or [ast.Pass()], orelse))
    return follow


def is_endless(statement: ast.stmt) -> bool:
    """Whether a statement is ``while True`` with nothing in it that leaves it."""
    if not isinstance(statement, ast.While) or not isinstance(statement.test, ast.Constant):
        return False
    pending: List[ast.AST] = list(statement.body)
    for node in pending:
        if isinstance(node, ast.Break):
            return False
        if isinstance(node, (ast.While, ast.For, ast.AsyncFor)):
            pending += node.orelse
        else:
            pending += ast.iter_child_nodes(node)
    return True


def _body_of_endless_loop(walk: Walk, number: int, inner: Around) -> List[ast.stmt]:
    body: List[ast.stmt] = []
    following = walk.simple(number, inner, body)
    if following is not None:
        body += walk.arm(following, inner)
    return body or [ast.Pass()]


def for_loop(walk: Walk, number: int, around: Around, body: List[ast.stmt]) -> Optional[int]:
    block = walk.layout.block(number)
    loop = block.entry[-1]
    assert isinstance(loop, Iter)
    start, exhausted = block.next
    breaks = [
        target
        for target in walk.layout.exits.get(number, [])
        if target != exhausted or _left_early(walk, number, target)
    ]
    follow, leave = _loop_follow(walk, number, exhausted, breaks, around, None)
    inside = walk.arm(start, Around(number, number, leave, walk.layout.scopes[number][-1]))
    target: ast.expr = ast.Name("_", STORE)
    if inside and isinstance(inside[0], LoopTarget):
        target = inside.pop(0).target  # type: ignore[attr-defined]
    orelse = _else_of_loop(walk, exhausted, follow, around)
    kind = ast.AsyncFor if loop.is_async else ast.For
    body.append(kind(target, loop.iterable, strip_continue(inside) or [ast.Pass()], orelse, lineno=0))
    return follow


def _left_early(walk: Walk, number: int, target: int) -> bool:
    scopes = walk.layout.scopes
    return any(other != number and scopes[number][-1] in scopes[other] for other in walk.layout.before[target])


def _breaks(walk: Walk, header: int, members: Set[int], exit_from: Optional[int]) -> List[int]:
    """Where the loop leads to; not where an ``except`` clause inside of it raises on."""
    around = walk.layout.scopes[header]
    found: Dict[int, None] = {}
    for number in sorted(members, key=walk.place.__getitem__):
        if number != exit_from:
            for target in walk.layout.flow(number):
                raises_on = walk.layout.block(target).kind == RERAISE and walk.layout.scopes[target] != around
                if target not in members and not raises_on:
                    found[target] = None
    return list(found)


def _loop_follow(
    walk: Walk,
    number: int,
    exhausted: Optional[int],
    breaks: Sequence[int],
    around: Around,
    members: Optional[Set[int]],
) -> tuple[Optional[int], Optional[int]]:
    """What is written behind a loop, and where ``break`` goes: the same block, or a place around that falling
    through reaches.
    """
    latest = None if members is None else _latest(walk, number)
    inline = {
        target for target in breaks if target != exhausted and target not in around and _inline(walk, target, latest)
    }
    candidates = [target for target in breaks if target not in inline]
    if members is not None and candidates:
        candidates = _joined_exits(walk, candidates, exhausted, around)
    if exhausted is not None and (not candidates or exhausted in candidates):
        chosen = exhausted
    elif candidates:
        chosen = max(candidates, key=lambda target: walk.place[target])
    else:
        return None, None
    return chosen, chosen


# What a loop leaves to and never comes back from is part of it where the compiler laid it out inside; as a second
# choice always, as a third one never.
CHOICES_OF_ENDS = 3


def _latest(walk: Walk, header: int) -> float:
    """Behind which offset what a loop leaves to is no part of it."""
    choice = walk.ends_chosen.get(header, 0)
    if choice:
        return math.inf if choice == 1 else -math.inf
    members = walk.loops[header]
    warm = members & walk.warm if HANDLERS_COME_LAST else members
    return max(walk.layout.block(number).offset for number in warm or members)


def _inline(walk: Walk, target: int, latest: Optional[float]) -> bool:
    """Whether what a loop leaves to is written inside of it: it returns or raises, and no later code of the loop
    lies behind it.
    """
    block = walk.layout.block(target)
    if block.kind == RERAISE:
        # The end of a `finally` body, which no statement writes.
        return False
    if walk.returns_a_value(target) or walk.only_returns(target):
        return True
    if is_in_match(block) and _never_returns(walk, target):
        return True
    if walk.ways_in[target] > 1 or latest is None:
        return False
    return block.offset < latest and _never_returns(walk, target)


def _never_returns(walk: Walk, start: int) -> bool:
    return not _leads_to(walk, start)


def _leads_to(walk: Walk, start: int) -> Set[int]:
    """Where control goes when it leaves the blocks that ``start`` dominates, returns of functions aside."""
    pending, seen = [start], {start}
    outside: Set[int] = set()
    while pending:
        number = pending.pop()
        if walk.layout.block(number).kind == RETURN and not walk.layout.is_function:
            outside.add(number)  # the end of a module or class, where there is no `return`
        for target in walk.layout.flow(number):
            if walk.only_returns(target) or walk.returns_a_value(target):
                continue
            if not walk.dominates(start, target):
                outside.add(target)
            elif target not in seen:
                seen.add(target)
                pending.append(target)
    return outside


def _joined_exits(walk: Walk, candidates: List[int], exhausted: Optional[int], around: Around) -> List[int]:
    """Where a loop leads behind what is written in it before each ``break``.

    A block that only one jump out of the loop leads to may be written before that ``break`` or behind the loop:
    before it, when all jumps then lead
    to one place.
    """
    single = [
        target for target in candidates if walk.ways_in[target] == 1 and target not in around and target != exhausted
    ]
    if exhausted is None and len(candidates) < 2:
        return candidates
    leads = {target: _leads_to(walk, target) for target in single}
    # What ends inside of the loop joins nothing.
    single = [target for target in single if leads[target]]
    candidates = [target for target in candidates if target in single or target not in leads] or candidates
    if exhausted is not None:
        joint = next(iter(leads.values()), set())
        joined = len(joint) == 1 and len(single) == len(candidates) and all(lead == joint for lead in leads.values())
        owned = exhausted not in joint and walk.ways_in[exhausted] == 1 and exhausted not in around
        if joined and owned and _leads_to(walk, exhausted) == joint:
            return list(joint)
        return [target for target in candidates if target not in leads or not leads[target] <= {exhausted}]
    for chosen in sorted(candidates, key=walk.place.__getitem__, reverse=True):
        if all(target == chosen or (target in leads and leads[target] <= {chosen}) for target in candidates):
            return [chosen]
    joint = set().union(*leads.values())
    if len(joint) == 1 and len(single) == len(candidates):
        return list(joint)
    return candidates


def _else_of_loop(walk: Walk, exhausted: Optional[int], follow: Optional[int], around: Around) -> List[ast.stmt]:
    if exhausted is None or exhausted == follow:
        return []
    return walk.arm(exhausted, around if follow is None else around._replace(follow=follow))


def strip_continue(body: List[ast.stmt]) -> List[ast.stmt]:
    """A loop body without a ``continue`` at its very end."""
    return body[:-1] if body and isinstance(body[-1], ast.Continue) else body
