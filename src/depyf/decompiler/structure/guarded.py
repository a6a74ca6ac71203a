"""``try`` and ``with``: bodies, clauses, ``else``, ``finally``, and what follows the statement.

T: body b1, handler b5           try:
b1: g(); goto b9                     g()
b5: if E then b6 else re-raise   except E:
b6: h(); goto b9           =>        h()
b9: rest                         rest
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, List, Optional, Type

from depyf.decompiler.lift.binding import BindException
from depyf.decompiler.lift.blocks import BRANCH, RERAISE
from depyf.decompiler.lift.values import ExceptionTest, Exit
from depyf.decompiler.structure.groups import left_by_clauses, tests_groups, without_return
from depyf.decompiler.structure.handlers import Purpose
from depyf.decompiler.structure.jumps import Around, Misplaced
from depyf.decompiler.structure.scopes import CLAUSE, TRY, Scope

if TYPE_CHECKING:
    from depyf.decompiler.structure.statements import Walk


def with_statement(walk: Walk, number: int, around: Around, body: List[ast.stmt]) -> Optional[int]:
    head = walk.layout.block(number)
    exit_ = next(value for value in reversed(head.entry) if isinstance(value, Exit))
    follow = _follow_of_with(walk, number, around)
    inner = around if follow is None else around._replace(follow=follow)
    inside = walk.arm(head.next[0], inner._replace(inside=walk.layout.heads[number]))
    kind = ast.AsyncWith if exit_.is_async else ast.With
    item = ast.withitem(exit_.context, exit_.target)
    body.append(kind([item], inside or [ast.Pass()], lineno=0))
    return follow


def _follow_of_with(walk: Walk, number: int, around: Around) -> Optional[int]:
    """The block behind a ``with``: where control goes on when an exception was swallowed, if anything can be."""
    for target in walk.layout.swallowed.get(number, []):
        if target in around:
            # Elsewhere than behind the statement a jump of its own leads, which stands behind it.
            return None if target == around.follow else target
        if walk.dominator[target] == number or walk.only_returns(target):
            return target
    return _follow_of_scope(walk, number, around)


def _follow_of_scope(walk: Walk, number: int, around: Around) -> Optional[int]:
    """The block behind a ``try`` or ``with``: the last of those that leaving it reaches."""
    exits = walk.layout.exits.get(number, [])
    owned = [
        target
        for target in exits
        if walk.behind_exits(target).number not in around
        and target not in around
        and not walk.returns_a_value(target)
        and target not in walk.layout.jumped
        and walk.dominator[target] == number
        and _left_by_statement(walk, number, target)
    ]
    # Where falling out of the statement leads to what is known to follow, a shared return is no second way to fall out.
    falls_out = any(around.follow in (target, walk.behind_exits(target).number) for target in exits)
    behind = [target for target in owned if not walk.only_returns(target, even_shared=falls_out)]
    if len(behind) > 1 and not _has_clauses(walk, number):
        # Only the last can follow; what jumps over the others needs a `break`.
        last = max(behind, key=walk.place.__getitem__)
        raise Misplaced(last, where=f"offset {walk.layout.block(last).offset}")
    if not behind and not falls_out:
        behind = [target for target in owned if walk.ways_in[target] > 1 or _stands_behind(walk, number, target)]
    # What only the body leads to may be its `else`; where a clause leads is behind the statement.
    clause_scope = Scope(CLAUSE, walk.layout.heads[number].key)
    behind = [target for target in behind if _left_by_body(walk, clause_scope, target)] or behind
    return max(behind, key=walk.place.__getitem__) if behind else None


def _stands_behind(walk: Walk, number: int, target: int) -> bool:
    """Whether a return that only the body of a ``try`` leads to stands behind the handlers: its line tells."""
    scope = walk.layout.heads[number]
    if scope.kind != TRY or not _left_by_body(walk, scope, target):
        return False
    line = walk.layout.block(target).position.line
    handler = [node.position.line for node in walk.layout.block(scope.key).nodes if node.position.line is not None]
    return line is not None and bool(handler) and line > handler[0]


def _has_clauses(walk: Walk, number: int) -> bool:
    scope = walk.layout.heads[number]
    return scope.kind == TRY and walk.layout.purposes[scope.key] is not Purpose.FINALLY


def _left_by_statement(walk: Walk, number: int, target: int) -> bool:
    """Whether control falls out to ``target``; a ``finally`` body that jumps there does not fall out."""
    scope = walk.layout.heads[number]
    if scope.kind != TRY or walk.layout.purposes[scope.key] is not Purpose.FINALLY:
        return True
    return _left_by_body(walk, scope, target)


def try_statement(walk: Walk, number: int, scope: Scope, around: Around, body: List[ast.stmt]) -> Optional[int]:
    if walk.layout.purposes[scope.key] is Purpose.FINALLY:
        return try_finally(walk, number, scope, around, body)
    follow = None if _clauses_fall_out(walk, scope, around) else _follow_of_scope(walk, number, around)
    jump = _jump_behind(walk, scope, around)
    if jump is not None:
        follow = jump
    is_group = tests_groups(walk.layout.block(scope.key))
    if is_group:
        follow = left_by_clauses(walk.layout, scope.key, follow)
    ends = around if follow is None else around._replace(follow=follow)
    start = _start_of_else(walk, number, scope, ends)
    within = ends if start is None else ends._replace(follow=start)
    inside = walk.arm(walk.layout.block(number).next[0], within._replace(inside=scope))
    if is_group and start is None and follow is not None:
        inside = without_return(inside, walk.layout.block(follow))
    orelse = [] if start is None else walk.arm(start, ends)
    # Control leaves a clause of `except*` by its end only (PEP 654).
    ended = Around(follow) if is_group else ends._replace(inside=Scope(CLAUSE, scope.key))
    handlers = clauses(walk, scope.key, ended)
    # The oldest supported Python has no class for it.
    kind: Type[ast.Try] = ast.TryStar if is_group else ast.Try  # type: ignore[attr-defined]
    body.append(kind(inside or [ast.Pass()], handlers, orelse, []))
    return follow


def _jump_behind(walk: Walk, scope: Scope, around: Around) -> Optional[int]:
    """Where a ``break`` or ``continue`` behind the statement leads, if a clause is known to fall out to it."""
    clause_scope = Scope(CLAUSE, scope.key)
    jumps = [target for target in (around.leave, around.repeat) if target in walk.layout.fallen]
    found = [target for target in jumps if target != around.follow and _left_by_body(walk, clause_scope, target)]
    return found[0] if found else None


def _start_of_else(walk: Walk, number: int, scope: Scope, ends: Around) -> Optional[int]:
    """Where the body leads when it ends and the handlers do not."""
    if _body_falls_out(walk, number, scope, ends):
        return None
    starts = [
        target
        for target in walk.layout.exits.get(number, [])
        if target not in ends and not walk.returns_a_value(target) and _left_by_body(walk, scope, target)
    ]
    starts = [target for target in starts if not walk.only_returns(target)]
    return min(starts, key=walk.place.__getitem__) if starts else None


def _body_falls_out(walk: Walk, number: int, scope: Scope, ends: Around) -> bool:
    """Whether the body ends behind the statement, so that the other ways out of it are jumps."""
    behind = ends.follow
    if behind is None or behind in (ends.repeat, ends.leave) or walk.only_returns(behind):
        return False
    ways = [target for target in walk.layout.exits.get(number, []) if walk.behind_exits(target).number == behind]
    return any(_left_by_body(walk, scope, target) for target in (behind, *ways))


def _clauses_fall_out(walk: Walk, scope: Scope, around: Around) -> bool:
    """Whether clauses end where the statement around does; what only the body leads to is then its ``else``."""
    if around.follow is None:
        return False
    inside = Scope(CLAUSE, scope.key)
    ends = [
        target
        for target in (around.follow, *walk.layout.exits.get(walk.layout.fronts[scope], ()))
        if walk.behind_exits(target).number == around.follow or target == around.follow
    ]
    if around.follow == around.repeat:
        ends = [target for target in ends if target in walk.layout.fallen]
    return any(_left_by_body(walk, inside, target) for target in ends)


def _left_by_body(walk: Walk, scope: Scope, target: int) -> bool:
    return any(scope in walk.layout.scopes[other] for other in walk.layout.before[target])


def clauses(walk: Walk, number: int, around: Around) -> List[ast.ExceptHandler]:
    """The ``except`` clauses from a handler's first block on."""
    found: List[ast.ExceptHandler] = []
    current = number
    while True:
        block = walk.layout.block(current)
        walk.placed[current] = None
        if block.kind == BRANCH and isinstance(block.test, ExceptionTest):
            found.append(clause(block.test.kind, walk.arm(block.next[0], around)))
            current = block.next[1]
            continue
        if block.kind == RERAISE and not block.body:
            return found
        walk.placed.pop(current, None)
        return [*found, clause(None, walk.sequence(current, around))]


def try_finally(walk: Walk, number: int, scope: Scope, around: Around, body: List[ast.stmt]) -> Optional[int]:
    follow = _follow_of_scope(walk, number, around)
    inner = around if follow is None else around._replace(follow=follow)
    inside = walk.arm(walk.layout.block(number).next[0], inner._replace(inside=scope))
    inside = _falling_out(inside)
    final = walk.sequence(scope.key, Around(None, around.repeat, around.leave, Scope(CLAUSE, scope.key)))
    if len(inside) == 1 and type(inside[0]).__name__ in ("Try", "TryStar") and not inside[0].finalbody:  # type: ignore[attr-defined]
        statement: ast.stmt = inside[0]
        statement.finalbody = final or [ast.Pass()]  # type: ignore[attr-defined]
    else:
        statement = ast.Try(inside or [ast.Pass()], [], [], final or [ast.Pass()])
    body.append(statement)
    return follow


def _falling_out(body: List[ast.stmt]) -> List[ast.stmt]:
    """A body without the ``return`` at its ends that a ``finally`` body keeps from returning; it has no value."""
    last = body[-1] if body else None
    if isinstance(last, ast.Return) and last.value is None:
        return _falling_out(body[:-1])
    if isinstance(last, (ast.If, ast.With, ast.AsyncWith)):
        last.body = _falling_out(last.body) or [ast.Pass()]
    if isinstance(last, ast.If):
        last.orelse = _falling_out(last.orelse)
    if isinstance(last, ast.Try):
        part = "orelse" if last.orelse else "body"
        setattr(last, part, _falling_out(getattr(last, part)) or [ast.Pass()])
        for handler in last.handlers:
            handler.body = _falling_out(handler.body) or [ast.Pass()]
    for case in getattr(last, "cases", []):
        case.body = _falling_out(case.body) or [ast.Pass()]
    return body


def clause(kind: Optional[ast.expr], body: List[ast.stmt]) -> ast.ExceptHandler:
    """One ``except`` clause; its name is the first thing that its body binds."""
    name = None
    if body and isinstance(body[0], BindException):
        name = body.pop(0).name  # type: ignore[attr-defined]
    return ast.ExceptHandler(kind, name, body or [ast.Pass()])
