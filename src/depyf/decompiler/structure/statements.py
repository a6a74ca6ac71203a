"""Blocks to nested statements, in one walk over the dominator tree.

    b0: if a then b1 else b2            if a:
    b1: x(); goto b2               =>       x()
    b2: return y                        return y

A block that several ways lead to is placed behind the statement of the block that dominates it (Ramsey: Beyond
Relooper, ICFP 2022); every jump must then be a
fall-through, a ``break``, a ``continue`` or a ``return``.  A jump that is none of them is refused, never guessed.
"""

from __future__ import annotations

import ast
from typing import Dict, List, NamedTuple, Optional, Sequence, Set, Tuple, Type

from depyf.decompiler.lift.binding import BindException, LoopTarget
from depyf.decompiler.lift.blocks import BRANCH, FOR, GOTO, RERAISE, RETURN, STOP, Block
from depyf.decompiler.lift.conditions import negated
from depyf.decompiler.lift.expressions import STORE
from depyf.decompiler.lift.values import ExceptionTest, Exit, Iter
from depyf.decompiler.refusals import CONTROL_FLOW, Refused
from depyf.decompiler.structure.dominators import immediate_dominators, reverse_postorder, subtrees
from depyf.decompiler.structure.groups import left_by_clauses, tests_groups, without_return
from depyf.decompiler.structure.handlers import Purpose
from depyf.decompiler.structure.heads import HEAD, Layout
from depyf.decompiler.structure.matches import is_in_match, match_statement, subject_of
from depyf.decompiler.structure.scopes import CLAUSE, TRY, Scope
from depyf.decompiler.versions import ASSERTION_ERROR_IS_GLOBAL


class Around(NamedTuple):
    """Where jumps may go: ``follow`` is reached by falling through, the others by ``continue`` and ``break``.

    ``inside`` is the innermost statement that what is written now has to belong to.
    """

    follow: Optional[int] = None
    repeat: Optional[int] = None
    leave: Optional[int] = None
    inside: Optional[Scope] = None


def statements(layout: Layout) -> List[ast.stmt]:
    """The statements of a whole code object."""
    return _Walk(layout).sequence(layout.entry, Around())


class Misplaced(Refused):
    """A jump to ``target`` that is no fall-through, ``break``, ``continue`` or ``return`` where it stands."""

    def __init__(self, target: int, where: str) -> None:
        super().__init__(CONTROL_FLOW, "a jump that is no break, continue or return", where)
        self.target = target


class _Walk:
    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        order = reverse_postorder(layout.entry, layout.targets)
        self.place = {number: index for index, number in enumerate(order)}
        self.dominator = immediate_dominators(order, layout.targets)
        self.children: Dict[int, List[int]] = {number: [] for number in order}
        for number in order[1:]:
            self.children[self.dominator[number]].append(number)
        self.subtrees = subtrees(order, self.dominator)
        self.ways_in = dict.fromkeys(order, 0)
        self.loops: Dict[int, Set[int]] = {}
        self._count_ways(order)
        self._complete_loops(order)
        self.placed: Set[int] = set()
        self.blocks_with_exit: Set[Tuple[int, int]] = set()

    def _count_ways(self, order: Sequence[int]) -> None:
        for number in order:
            for target in self.layout.flow(number):
                if self.place[target] > self.place[number]:
                    self.ways_in[target] += 1
                elif self.dominates(target, number):
                    self._add_to_loop(target, number)
                else:
                    raise self.refused(target, "a loop with several ways in")

    def _complete_loops(self, order: Sequence[int]) -> None:
        """What a statement inside of a loop contains is inside of the loop, even where it only leads out."""
        contents: Dict[int, List[int]] = {}
        for number in order:
            for front in self.layout.enclosing(number):
                contents.setdefault(front, []).append(number)
        for members in self.loops.values():
            for front in contents.keys() & members:
                members.update(contents[front])

    def dominates(self, one: int, other: int) -> bool:
        """Whether every way to ``other`` passes ``one``."""
        first, behind = self.subtrees[one]
        return first <= self.subtrees[other][0] < behind

    def _add_to_loop(self, header: int, latch: int) -> None:
        members = self.loops.setdefault(header, {header})
        before = self._predecessors()
        pending = [latch]
        while pending:
            number = pending.pop()
            if number not in members:
                members.add(number)
                pending += before[number]

    _before: Optional[Dict[int, List[int]]] = None

    def _predecessors(self) -> Dict[int, List[int]]:
        if self._before is None:
            self._before = {number: [] for number in self.place}
            for number in self.place:
                targets = self.layout.flow(number)
                scope = self.layout.heads.get(number)
                if scope is not None and scope.kind == TRY:
                    targets.append(scope.key)
                for target in targets:
                    self._before[target].append(number)
        return self._before

    def refused(self, number: int, why: str) -> Refused:
        return Refused(CONTROL_FLOW, why, where=f"offset {self.layout.block(number).offset}")

    # sequences and jumps

    def sequence(self, start: int, around: Around) -> List[ast.stmt]:
        """Statements from ``start`` up to a jump to one of the places in ``around``."""
        body: List[ast.stmt] = []
        current: Optional[int] = start
        first = True
        while current is not None:
            jump = None if first and current not in (around.follow,) else self.jump(current, around)
            if first and current == around.follow:
                jump = []
            if jump is not None:
                return body + jump
            first = False
            current = self.statement(current, around, body)
        return body

    def jump(self, target: int, around: Around) -> Optional[List[ast.stmt]]:
        """The statements that go to ``target``, None when it has to be written out here."""
        if target == around.follow:
            return []
        if target == around.repeat:
            return [ast.Continue()]
        if target == around.leave:
            return [ast.Break()]
        behind = self._behind_exits(target).number
        return self.jump(behind, around) if behind != target and behind in around else None

    def arm(self, target: int, around: Around) -> List[ast.stmt]:
        """One way out of a statement: a jump, or what is written there."""
        jump = self.jump(target, around)
        return self.sequence(target, around) if jump is None else jump

    def statement(self, number: int, around: Around, body: List[ast.stmt]) -> Optional[int]:
        """Write the statement that starts at a block.

        Returns the block that follows it, None when control does not come out.
        """
        written, placed = len(body), set(self.placed)
        try:
            return self.plain_statement(number, around, body)
        except Misplaced as misplaced:
            target = misplaced.target
            if self.dominator.get(target) != number or target in around or (number, target) in self.blocks_with_exit:
                raise
        self.blocks_with_exit.add((number, target))
        del body[written:]
        self.placed = placed
        return self.block_with_exit(number, target, around, body)

    def block_with_exit(self, number: int, target: int, around: Around, body: List[ast.stmt]) -> int:
        """``while True: ….

        Break``: a loop that runs once, so that jumps over the statements behind them become ``break``.
        """
        inside = self.sequence(number, Around(leave=target, inside=around.inside))
        if not self._ends(inside):
            inside.append(ast.Break())
        body.append(ast.While(ast.Constant(True), inside, []))
        return target

    def plain_statement(self, number: int, around: Around, body: List[ast.stmt]) -> Optional[int]:
        """Write a statement whose jumps all go where ``around`` says."""
        block = self.layout.block(number)
        if number in self.placed and not (
            (block.kind in (RETURN, STOP, RERAISE) and len(block.body) <= 1) or self._is_empty(block)
        ):
            raise Misplaced(number, where=f"offset {block.offset}")
        if not self._belongs(number, around.inside):
            raise Misplaced(number, where=f"offset {block.offset}")
        self.placed.add(number)
        if number in self.loops and block.kind != FOR:
            return self.while_loop(number, around, body)
        return self.simple(number, around, body)

    def _belongs(self, number: int, inside: Optional[Scope]) -> bool:
        """Whether a block may be written inside of a statement: it is guarded alike, or only leaves and returns."""
        if inside is None or inside in self.layout.scopes[number] or self._is_empty(self.layout.block(number)):
            return True
        return self._only_returns(number) or self._returns_a_value(number)

    def _is_empty(self, block: Block) -> bool:
        """Whether a block only leaves statements, and a jump from it need not be told from falling out."""
        evaluates = len(block.out) > len(block.entry)
        return block.kind == GOTO and not block.body and not evaluates and block.number not in self.layout.jumping

    def simple(self, number: int, around: Around, body: List[ast.stmt]) -> Optional[int]:
        block = self.layout.block(number)
        body += block.body
        if block.kind == RETURN:
            # A class body returns the cell of __class__, which the source never shows.
            body.append(ast.Return(block.test if isinstance(block.test, ast.expr) else None))
            return None
        if block.kind == STOP:
            message = assertion_message(body[-1]) if block.body else None
            if message is not None:
                body[-1] = ast.Assert(ast.Constant(False), message[0] if message else None)
            return None
        if block.kind == RERAISE:
            return None
        if block.kind == BRANCH:
            return self.branch(number, around, body)
        if block.kind == FOR:
            return self.for_loop(number, around, body)
        if block.kind == HEAD:
            scope = self.layout.heads[number]
            return (
                self.try_statement(number, scope, around, body)
                if scope.kind == TRY
                else self.with_statement(number, around, body)
            )
        if number in self.layout.jumping:
            body += self.arm(block.next[0], around._replace(follow=None))
            return None
        return block.next[0]

    # if

    def branch(self, number: int, around: Around, body: List[ast.stmt]) -> Optional[int]:
        block = self.layout.block(number)
        subject = subject_of(block)
        if subject is not None:
            return match_statement(self, number, subject, around, body)
        test = block.test
        if not isinstance(test, ast.expr):
            raise self.refused(number, f"a branch on {type(test).__name__}")
        yes, no = block.next
        for failing, passing in ((no, yes), (yes, no)):
            message = self._assertion(failing)
            if message is not None:
                body.append(ast.Assert(test if failing == no else negated(test), message[0] if message else None))
                return passing
        follow = self._follow_of_branch(number, around)
        inner = around if follow is None else around._replace(follow=follow)
        if yes == no:
            body.append(ast.If(test, [ast.Pass()], []))
            return yes
        if self._comes_first(no, yes, inner):
            test, yes, no = negated(test), no, yes
        then = self.arm(yes, inner)
        if self._ends(then) and self.jump(no, inner) is None and follow is None:
            body.append(ast.If(test, then, []))
            return no
        orelse = self.arm(no, inner)
        if not then:
            if orelse:
                test, then, orelse = negated(test), orelse, then
            else:
                then = [ast.Pass()]
        body.append(ast.If(test, then, orelse))
        return follow

    def _assertion(self, number: int) -> Optional[List[ast.expr]]:
        """Operands of the AssertionError that a block raises as ``assert`` would; None when it does something else."""
        block = self.layout.block(number)
        if block.kind != STOP or self.ways_in[number] != 1 or len(block.body) != 1:
            return None
        return assertion_message(block.body[0], ASSERTION_ERROR_IS_GLOBAL)

    def _follow_of_branch(self, number: int, around: Around) -> Optional[int]:
        block = self.layout.block(number)
        merges = [
            child
            for child in self.children[number]
            if (self.ways_in[child] > 1 or child not in block.next)
            and child not in (around.follow, around.leave, around.repeat)
        ]
        merges.sort(key=self.place.__getitem__)
        return merges[0] if merges else None

    def _comes_first(self, one: int, other: int, around: Around) -> bool:
        """Whether ``one`` is written before ``other``: the compiler lays out the body of an ``if`` before its
        ``else``.
        """
        one_jumps, other_jumps = self.jump(one, around) is not None, self.jump(other, around) is not None
        if one_jumps != other_jumps and around.follow in (one, other):
            return other == around.follow
        longer = self.layout.block(other if one_jumps else one)
        if one_jumps != other_jumps and longer.kind not in (RETURN, STOP):
            return one_jumps
        return self.layout.block(one).offset < self.layout.block(other).offset

    def _ends(self, body: Sequence[ast.stmt]) -> bool:
        """Whether control never falls out of ``body``."""
        if not body:
            return False
        last = body[-1]
        if isinstance(last, ast.If):
            return self._ends(last.body) and self._ends(last.orelse)
        return isinstance(last, (ast.Return, ast.Raise, ast.Break, ast.Continue))

    # loops

    def while_loop(self, number: int, around: Around, body: List[ast.stmt]) -> Optional[int]:
        block = self.layout.block(number)
        members = self.loops[number]
        outside = [target for target in block.next if target not in members]
        tested = block.kind == BRANCH and not block.body and len(outside) == 1 and subject_of(block) is None
        exhausted = outside[0] if tested else None
        breaks = self._breaks(members, exit_from=number if tested else None)
        follow, leave = self._loop_follow(number, exhausted, breaks, around, members)
        inner = Around(number, number, leave, around.inside)
        if not tested:
            inside = self._body_of_endless_loop(number, inner)
            body.append(ast.While(ast.Constant(True), strip_continue(inside), []))
            return follow
        test = block.test
        if not isinstance(test, ast.expr):
            raise self.refused(number, f"a loop on {type(test).__name__}")
        start = next(target for target in block.next if target in members)
        if block.next[0] != start:
            test = negated(test)
        inside = self.arm(start, inner)
        orelse = self._else_of_loop(exhausted, follow, around)
        body.append(ast.While(test, strip_continue(inside) or [ast.Pass()], orelse))
        return follow

    def _body_of_endless_loop(self, number: int, inner: Around) -> List[ast.stmt]:
        body: List[ast.stmt] = []
        following = self.simple(number, inner, body)
        if following is not None:
            body += self.arm(following, inner)
        return body or [ast.Pass()]

    def for_loop(self, number: int, around: Around, body: List[ast.stmt]) -> Optional[int]:
        block = self.layout.block(number)
        loop = block.entry[-1]
        assert isinstance(loop, Iter)
        start, exhausted = block.next
        breaks = [
            target
            for target in self.layout.exits.get(number, [])
            if target != exhausted or self._left_early(number, target)
        ]
        follow, leave = self._loop_follow(number, exhausted, breaks, around, None)
        inside = self.arm(start, Around(number, number, leave, self.layout.scopes[number][-1]))
        target: ast.expr = ast.Name("_", STORE)
        if inside and isinstance(inside[0], LoopTarget):
            target = inside.pop(0).target  # type: ignore[attr-defined]
        orelse = self._else_of_loop(exhausted, follow, around)
        kind = ast.AsyncFor if loop.is_async else ast.For
        body.append(kind(target, loop.iterable, strip_continue(inside) or [ast.Pass()], orelse, lineno=0))
        return follow

    def _left_early(self, number: int, target: int) -> bool:
        scopes = self.layout.scopes
        return any(other != number and scopes[number][-1] in scopes[other] for other in self.layout.before[target])

    def _breaks(self, members: Set[int], exit_from: Optional[int]) -> List[int]:
        found: Dict[int, None] = {}
        for number in sorted(members, key=self.place.__getitem__):
            if number != exit_from:
                for target in self.layout.flow(number):
                    if target not in members and self.layout.block(target).kind != RERAISE:
                        found[target] = None
        return list(found)

    def _loop_follow(
        self, number: int, exhausted: Optional[int], breaks: Sequence[int], around: Around, members: Optional[Set[int]]
    ) -> tuple[Optional[int], Optional[int]]:
        """What is written behind a loop, and where ``break`` goes: the same block, or a place around that falling
        through reaches.
        """
        latest = None if members is None else max(self.layout.block(number).offset for number in members)
        inline = {
            target for target in breaks if target != exhausted and target not in around and self._inline(target, latest)
        }
        candidates = [target for target in breaks if target not in inline]
        if members is not None and candidates:
            candidates = self._joined_exits(candidates, exhausted, around)
        if exhausted is not None and (not candidates or exhausted in candidates):
            chosen = exhausted
        elif candidates:
            chosen = max(candidates, key=lambda target: self.place[target])
        else:
            return None, None
        return chosen, chosen

    def _inline(self, target: int, latest: Optional[int]) -> bool:
        """Whether what a loop leaves to is written inside of it: it returns or raises, and no later code of the loop
        lies behind it.
        """
        block = self.layout.block(target)
        if self._returns_a_value(target) or self._only_returns(target):
            return True
        if is_in_match(block) and self._never_returns(target):
            return True
        if self.ways_in[target] > 1:
            return False
        if latest is None:
            return block.kind in (RETURN, STOP) and len(block.body) <= 1
        return block.offset < latest and self._never_returns(target)

    def _never_returns(self, start: int) -> bool:
        return not self._leads_to(start)

    def _leads_to(self, start: int) -> Set[int]:
        """Where control goes when it leaves the blocks that ``start`` dominates, returns aside."""
        pending, seen = [start], {start}
        outside: Set[int] = set()
        while pending:
            number = pending.pop()
            for target in self.layout.flow(number):
                if self._only_returns(target) or self._returns_a_value(target):
                    continue
                if not self.dominates(start, target):
                    outside.add(target)
                elif target not in seen:
                    seen.add(target)
                    pending.append(target)
        return outside

    def _joined_exits(self, candidates: List[int], exhausted: Optional[int], around: Around) -> List[int]:
        """Where a loop leads behind what is written in it before each ``break``.

        A block that only one jump out of the loop leads to may be written before that ``break`` or behind the loop:
        before it, when all jumps then lead
        to one place.
        """
        single = [
            target
            for target in candidates
            if self.ways_in[target] == 1 and target not in around and target != exhausted
        ]
        if exhausted is None and len(candidates) < 2:
            return candidates
        leads = {target: self._leads_to(target) for target in single}
        if exhausted is not None:
            joint = next(iter(leads.values()), set())
            joined = (
                len(joint) == 1 and len(single) == len(candidates) and all(lead == joint for lead in leads.values())
            )
            owned = exhausted not in joint and self.ways_in[exhausted] == 1 and exhausted not in around
            if joined and owned and self._leads_to(exhausted) == joint:
                return list(joint)
            return [target for target in candidates if target not in leads or not leads[target] <= {exhausted}]
        for chosen in sorted(candidates, key=self.place.__getitem__, reverse=True):
            if all(target == chosen or (target in leads and leads[target] <= {chosen}) for target in candidates):
                return [chosen]
        joint = set().union(*leads.values())
        if len(joint) == 1 and len(single) == len(candidates):
            return list(joint)
        return candidates

    def _else_of_loop(self, exhausted: Optional[int], follow: Optional[int], around: Around) -> List[ast.stmt]:
        if exhausted is None or exhausted == follow:
            return []
        return self.arm(exhausted, around if follow is None else around._replace(follow=follow))

    # try and with

    def with_statement(self, number: int, around: Around, body: List[ast.stmt]) -> Optional[int]:
        head = self.layout.block(number)
        exit_ = next(value for value in reversed(head.entry) if isinstance(value, Exit))
        follow = self._follow_of_with(number, around)
        inner = around if follow is None else around._replace(follow=follow)
        inside = self.arm(head.next[0], inner._replace(inside=self.layout.heads[number]))
        kind = ast.AsyncWith if exit_.is_async else ast.With
        item = ast.withitem(exit_.context, exit_.target)
        body.append(kind([item], inside or [ast.Pass()], lineno=0))
        return follow

    def _follow_of_with(self, number: int, around: Around) -> Optional[int]:
        """The block behind a ``with``: where control goes on when an exception was swallowed, if anything can be."""
        for target in self.layout.swallowed.get(number, []):
            if target in around:
                return None
            if self.dominator[target] == number or self._only_returns(target):
                return target
        return self._follow_of_scope(number, around)

    def _follow_of_scope(self, number: int, around: Around) -> Optional[int]:
        """The block behind a ``try`` or ``with``: the last of those that leaving it reaches."""
        exits = self.layout.exits.get(number, [])
        owned = [
            target
            for target in exits
            if self._behind_exits(target).number not in around
            and target not in around
            and not self._returns_a_value(target)
            and target not in self.layout.jumped
            and self.dominator[target] == number
            and self._left_by_statement(number, target)
        ]
        behind = [target for target in owned if not self._only_returns(target)]
        if len(behind) > 1 and not self._has_clauses(number):
            # Only the last can follow; what jumps over the others needs a `break`.
            last = max(behind, key=self.place.__getitem__)
            raise Misplaced(last, where=f"offset {self.layout.block(last).offset}")
        if not behind and around.follow not in exits:
            behind = [target for target in owned if self.ways_in[target] > 1 or self._stands_behind(number, target)]
        return max(behind, key=self.place.__getitem__) if behind else None

    def _stands_behind(self, number: int, target: int) -> bool:
        """Whether a return that only the body of a ``try`` leads to stands behind the handlers: its line tells."""
        scope = self.layout.heads[number]
        if scope.kind != TRY or not self._left_by_body(scope, target):
            return False
        line = self.layout.block(target).position.line
        handler = [node.position.line for node in self.layout.block(scope.key).nodes if node.position.line is not None]
        return line is not None and bool(handler) and line > handler[0]

    def _has_clauses(self, number: int) -> bool:
        scope = self.layout.heads[number]
        return scope.kind == TRY and self.layout.purposes[scope.key] is not Purpose.FINALLY

    def _left_by_statement(self, number: int, target: int) -> bool:
        """Whether control falls out to ``target``; a ``finally`` body that jumps there does not fall out."""
        scope = self.layout.heads[number]
        if scope.kind != TRY or self.layout.purposes[scope.key] is not Purpose.FINALLY:
            return True
        return self._left_by_body(scope, target)

    def _returns_a_value(self, target: int) -> bool:
        """Whether a block only leaves statements and returns what was computed before: such a ``return`` is written
        where the value is.
        """
        block = self._behind_exits(target)
        return (
            block.kind == RETURN
            and not block.body
            and any(block.test is value for value in self.layout.block(target).entry)
        )

    def _behind_exits(self, target: int) -> Block:
        """The first block from ``target`` on that does more than leave statements."""
        block = self.layout.block(target)
        passed = {target}
        while self._is_empty(block) and block.next[0] not in passed:
            passed.add(block.next[0])
            block = self.layout.block(block.next[0])
        return block

    def _only_returns(self, target: int) -> bool:
        """Whether a block returns a constant: it may be written at every jump to it."""
        block = self.layout.block(target)
        if not self.layout.is_function or target in self.layout.fallen:
            return False
        if block.kind == GOTO:
            block = self._behind_exits(target)
            if self.ways_in[block.number] > 1:
                return False
        return block.kind == RETURN and not block.body and isinstance(block.test, ast.Constant)

    def try_statement(self, number: int, scope: Scope, around: Around, body: List[ast.stmt]) -> Optional[int]:
        if self.layout.purposes[scope.key] is Purpose.FINALLY:
            return self.try_finally(number, scope, around, body)
        follow = None if self._clauses_fall_out(scope, around) else self._follow_of_scope(number, around)
        is_group = tests_groups(self.layout.block(scope.key))
        if is_group:
            follow = left_by_clauses(self.layout, scope.key, follow)
        ends = around if follow is None else around._replace(follow=follow)
        start = self._start_of_else(number, scope, ends)
        within = ends if start is None else ends._replace(follow=start)
        inside = self.arm(self.layout.block(number).next[0], within._replace(inside=scope))
        if is_group and start is None and follow is not None:
            inside = without_return(inside, self.layout.block(follow))
        orelse = [] if start is None else self.arm(start, ends)
        # Control leaves a clause of `except*` by its end only (PEP 654).
        clauses = Around(follow) if is_group else ends._replace(inside=Scope(CLAUSE, scope.key))
        handlers = self.clauses(scope.key, clauses)
        # The oldest supported Python has no class for it.
        kind: Type[ast.Try] = ast.TryStar if is_group else ast.Try  # type: ignore[attr-defined]
        body.append(kind(inside or [ast.Pass()], handlers, orelse, []))
        return follow

    def _start_of_else(self, number: int, scope: Scope, ends: Around) -> Optional[int]:
        """Where the body leads when it ends and the handlers do not."""
        starts = [
            target
            for target in self.layout.exits.get(number, [])
            if target not in ends and not self._returns_a_value(target) and self._left_by_body(scope, target)
        ]
        starts = [target for target in starts if not self._only_returns(target)]
        return min(starts, key=self.place.__getitem__) if starts else None

    def _clauses_fall_out(self, scope: Scope, around: Around) -> bool:
        """Whether clauses end where the statement around does; what only the body leads to is then its ``else``."""
        if around.follow is None or (around.follow == around.repeat and around.follow not in self.layout.fallen):
            return False
        inside = Scope(CLAUSE, scope.key)
        return any(
            self._left_by_body(inside, target)
            for target in (around.follow, *self.layout.exits.get(self.layout.fronts[scope], ()))
            if self._behind_exits(target).number == around.follow or target == around.follow
        )

    def _left_by_body(self, scope: Scope, target: int) -> bool:
        return any(scope in self.layout.scopes[other] for other in self.layout.before[target])

    def clauses(self, number: int, around: Around) -> List[ast.ExceptHandler]:
        """The ``except`` clauses from a handler's first block on."""
        found: List[ast.ExceptHandler] = []
        current = number
        while True:
            block = self.layout.block(current)
            self.placed.add(current)
            if block.kind == BRANCH and isinstance(block.test, ExceptionTest):
                found.append(clause(block.test.kind, self.arm(block.next[0], around)))
                current = block.next[1]
                continue
            if block.kind == RERAISE and not block.body:
                return found
            self.placed.discard(current)
            return [*found, clause(None, self.sequence(current, around))]

    def try_finally(self, number: int, scope: Scope, around: Around, body: List[ast.stmt]) -> Optional[int]:
        follow = self._follow_of_scope(number, around)
        inner = around if follow is None else around._replace(follow=follow)
        inside = self.arm(self.layout.block(number).next[0], inner._replace(inside=scope))
        final = self.sequence(scope.key, Around(None, around.repeat, around.leave))
        if len(inside) == 1 and type(inside[0]).__name__ in ("Try", "TryStar") and not inside[0].finalbody:  # type: ignore[attr-defined]
            statement: ast.stmt = inside[0]
            statement.finalbody = final or [ast.Pass()]  # type: ignore[attr-defined]
        else:
            statement = ast.Try(inside or [ast.Pass()], [], [], final or [ast.Pass()])
        body.append(statement)
        return follow


def clause(kind: Optional[ast.expr], body: List[ast.stmt]) -> ast.ExceptHandler:
    """One ``except`` clause; its name is the first thing that its body binds."""
    name = None
    if body and isinstance(body[0], BindException):
        name = body.pop(0).name  # type: ignore[attr-defined]
    return ast.ExceptHandler(kind, name, body or [ast.Pass()])


def assertion_message(statement: ast.stmt, even_global: bool = False) -> Optional[List[ast.expr]]:
    """The message that ``statement`` raises AssertionError with as ``assert`` would.

    None when it does something else.
    """
    if not isinstance(statement, ast.Raise) or statement.cause is not None:
        return None
    raised: Optional[ast.expr] = statement.exc
    message: List[ast.expr] = []
    if isinstance(raised, ast.Call) and len(raised.args) == 1 and not raised.keywords:
        message = raised.args
        raised = raised.func
    if getattr(raised, "is_common_constant", False):
        return message
    return message if even_global and isinstance(raised, ast.Name) and raised.id == "AssertionError" else None


def strip_continue(body: List[ast.stmt]) -> List[ast.stmt]:
    """A loop body without a ``continue`` at its very end."""
    return body[:-1] if body and isinstance(body[-1], ast.Continue) else body
