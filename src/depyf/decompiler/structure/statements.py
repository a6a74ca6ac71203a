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
from typing import Dict, List, Optional, Sequence, Set, Tuple

from depyf.decompiler.lift.binding import BindException, LoopTarget
from depyf.decompiler.lift.blocks import BRANCH, FOR, GOTO, RERAISE, RETURN, STOP, Block
from depyf.decompiler.lift.conditions import negated
from depyf.decompiler.lift.machine import is_constant
from depyf.decompiler.refusals import CONTROL_FLOW, Refused
from depyf.decompiler.structure.dominators import immediate_dominators, reverse_postorder, subtrees
from depyf.decompiler.structure.guarded import try_statement, with_statement
from depyf.decompiler.structure.heads import HEAD, Layout
from depyf.decompiler.structure.jumps import Around, Misplaced
from depyf.decompiler.structure.loops import CHOICES_OF_ENDS, for_loop, is_endless, while_loop
from depyf.decompiler.structure.matches import match_statement, subject_of
from depyf.decompiler.structure.scopes import TRY, Scope
from depyf.decompiler.structure.unbinding import JUMPS
from depyf.decompiler.versions import ASSERTION_ERROR_IS_GLOBAL


def statements(layout: Layout) -> List[ast.stmt]:
    """The statements of a whole code object."""
    return Walk(layout).sequence(layout.entry, Around())


class Walk:
    """One walk over the dominator tree of a layout."""

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
        self.placed: Dict[int, None] = {}
        self.blocks_with_exit: Set[Tuple[int, int]] = set()
        # By loop: which of the places for ends is tried that never come back.
        self.ends_chosen: Dict[int, int] = {}
        self._warm: Optional[Set[int]] = None

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
        # By statement: how much was written before it.
        before: Dict[int, Tuple[int, int]] = {}
        while current is not None:
            if current == around.follow:
                return body
            jump = self.jump(current, around) if before else None
            if jump is not None:
                return body + jump
            before.setdefault(current, (len(body), len(self.placed)))
            try:
                current = self.statement(current, around, body)
            except Misplaced as misplaced:
                current = self._behind_exit(misplaced, before, around, body)
        return body

    def jump(self, target: int, around: Around) -> Optional[List[ast.stmt]]:
        """The statements that go to ``target``, None when it has to be written out here."""
        if target == around.follow:
            return []
        if target == around.repeat:
            return [ast.Continue()]
        if target == around.leave:
            return [ast.Break()]
        places = self._through_exits(target)
        reached = next((block.number for block in places[1:] if block.number in around), None)
        return None if reached is None else self.jump(reached, around)

    def arm(self, target: int, around: Around) -> List[ast.stmt]:
        """One way out of a statement: a jump, or what is written there."""
        jump = self.jump(target, around)
        return self.sequence(target, around) if jump is None else jump

    def statement(self, number: int, around: Around, body: List[ast.stmt]) -> Optional[int]:
        """Write the statement that starts at a block.

        Returns the block that follows it, None when control does not come out.
        """
        written, placed = len(body), len(self.placed)
        is_new = number in self.loops and number not in self.placed
        while True:
            try:
                return self.plain_statement(number, around, body)
            except Misplaced:
                if not is_new or not self._choose_ends_again(number):
                    raise
            self._undo(body, written, placed)

    def _behind_exit(
        self, misplaced: Misplaced, before: Dict[int, Tuple[int, int]], around: Around, body: List[ast.stmt]
    ) -> int:
        """Write statements again so that their jumps to what is misplaced are ``break``; ``before`` says which."""
        target = misplaced.target
        number = self.dominator[target]
        if number not in before or target in around or (number, target) in self.blocks_with_exit:
            raise misplaced
        self.blocks_with_exit.add((number, target))
        self._undo(body, *before[number])
        return self.block_with_exit(number, target, around, body)

    def _undo(self, body: List[ast.stmt], written: int, placed: int) -> None:
        del body[written:]
        while len(self.placed) > placed:
            self.placed.popitem()

    def _choose_ends_again(self, number: int) -> bool:
        self.ends_chosen[number] = self.ends_chosen.get(number, 0) + 1
        return self.ends_chosen[number] < CHOICES_OF_ENDS

    @property
    def warm(self) -> Set[int]:
        """Blocks that are reached without an exception."""
        if self._warm is None:
            order = reverse_postorder(self.layout.entry, lambda number: self.layout.block(number).next)
            self._warm = set(order)
        return self._warm

    def block_with_exit(self, number: int, target: int, around: Around, body: List[ast.stmt]) -> int:
        """``while True: ….

        Break``: a loop that runs once, so that jumps over the statements behind them become ``break``.
        """
        inside = self.sequence(number, Around(leave=target, inside=around.inside))
        if not self.ends(inside) and not (inside and is_endless(inside[-1])):
            inside.append(ast.Break())
        if isinstance(inside[0], (BindException, LoopTarget)):
            body.append(inside.pop(0))  # stands in the line of the `except` or `for` around
        body.append(ast.While(ast.Constant(True), inside or [ast.Break()], []))
        return target

    def plain_statement(self, number: int, around: Around, body: List[ast.stmt]) -> Optional[int]:
        """Write a statement whose jumps all go where ``around`` says."""
        block = self.layout.block(number)
        if number in self.placed and not (
            (block.kind in (RETURN, STOP, RERAISE) and len(block.body) <= 1) or self.is_empty(block)
        ):
            raise Misplaced(number, where=f"offset {block.offset}")
        if not self._belongs(number, around.inside):
            raise Misplaced(number, where=f"offset {block.offset}")
        self.placed[number] = None
        if number in self.loops and block.kind != FOR:
            return while_loop(self, number, around, body)
        return self.simple(number, around, body)

    def _belongs(self, number: int, inside: Optional[Scope]) -> bool:
        """Whether a block may be written inside of a statement: it is guarded alike, or only leaves and returns."""
        if inside is None or inside in self.layout.scopes[number] or self.is_empty(self.layout.block(number)):
            return True
        return self.only_returns(number, even_shared=True) or self.returns_a_value(number)

    def is_empty(self, block: Block) -> bool:
        """Whether a block only leaves statements, and a jump from it need not be told from falling out."""
        return block.number not in self.layout.jumping and _only_leaves(block)

    def simple(self, number: int, around: Around, body: List[ast.stmt]) -> Optional[int]:
        block = self.layout.block(number)
        body += block.body
        if block.kind == RETURN:
            # A class body returns the cell of __class__, which the source never shows.
            body.append(ast.Return(block.test if isinstance(block.test, ast.expr) else None))
            return None
        if block.kind == STOP and block.nodes[-1].op == "UNREACHABLE" and self.layout.is_function:
            body.append(ast.Return(None))
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
            return for_loop(self, number, around, body)
        if block.kind == HEAD:
            scope = self.layout.heads[number]
            return (
                try_statement(self, number, scope, around, body)
                if scope.kind == TRY
                else with_statement(self, number, around, body)
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
            condition = test if failing == no else negated(test)
            if message is not None and not (ASSERTION_ERROR_IS_GLOBAL and _denies_comparison(condition)):
                body.append(ast.Assert(condition, message[0] if message else None))
                return passing
        follow = self._follow_of_branch(number, around)
        inner = around if follow is None else around._replace(follow=follow)
        if yes == no:
            body.append(ast.If(test, [ast.Pass()], []))
            return yes
        if self._comes_first(no, yes, inner):
            test, yes, no = negated(test), no, yes
        then = self.arm(yes, inner)
        if self.ends(then) and self.jump(no, inner) is None and follow is None and self._leaves_in_the_middle(then):
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

    def ends(self, body: Sequence[ast.stmt]) -> bool:
        """Whether control never falls out of ``body``."""
        if not body:
            return False
        last = body[-1]
        if isinstance(last, ast.If):
            return self.ends(last.body) and self.ends(last.orelse)
        return isinstance(last, (ast.Return, ast.Raise, ast.Break, ast.Continue))

    def _leaves_in_the_middle(self, body: Sequence[ast.stmt]) -> bool:
        """Whether more can stand behind a body that ends: only a function can return in the middle."""
        last = body[-1]
        if isinstance(last, ast.If):
            return self._leaves_in_the_middle(last.body) and self._leaves_in_the_middle(last.orelse)
        return self.layout.is_function or not isinstance(last, ast.Return)

    # try and with

    def returns_a_value(self, target: int) -> bool:
        """Whether a block only leaves statements and returns what was computed before: such a ``return`` is written
        where the value is.
        """
        # A return is a jump, whichever way the clauses around it are left.
        block = self.behind_exits(target, even_jumping=True)
        return (
            block.kind == RETURN
            and not block.body
            and any(block.test is value for value in self.layout.block(target).entry)
        )

    def behind_exits(self, target: int, even_jumping: bool = False) -> Block:
        """The first block from ``target`` on that does more than leave statements."""
        return self._through_exits(target, even_jumping)[-1]

    def _through_exits(self, target: int, even_jumping: bool = False) -> List[Block]:
        """Blocks from ``target`` on that only leave statements, and the first that does more."""
        blocks = [self.layout.block(target)]
        passed = {target}
        passes = _only_leaves if even_jumping else self.is_empty
        while passes(blocks[-1]) and blocks[-1].next[0] not in passed:
            passed.add(blocks[-1].next[0])
            blocks.append(self.layout.block(blocks[-1].next[0]))
        return blocks

    def only_returns(self, target: int, even_shared: bool = False) -> bool:
        """Whether a block returns a constant: it may be written at every jump to it.

        One that leaves a statement first and shares its ``return`` with others often stands for falling out.
        """
        block = self.layout.block(target)
        if not self.layout.is_function or target in self.layout.fallen:
            return False
        if block.kind == GOTO:
            block = self.behind_exits(target, even_jumping=True)
            if self.ways_in[block.number] > 1 and not even_shared:
                return False
        if _returns_in_vain(block):
            return True
        return block.kind == RETURN and not block.body and isinstance(block.test, ast.expr) and is_constant(block.test)


def _denies_comparison(condition: ast.expr) -> bool:
    """``not a > b``: hardly anyone asserts that, many raise AssertionError where ``a > b``; once both were one code."""
    return isinstance(condition, ast.UnaryOp) and isinstance(condition.operand, ast.Compare)


def _only_leaves(block: Block) -> bool:
    return block.kind == GOTO and not block.body and len(block.out) <= len(block.entry)


def _returns_in_vain(block: Block) -> bool:
    """Whether a block jumps into a ``finally`` body that never completes."""
    return block.kind == STOP and not block.body and block.nodes[-1].arg == JUMPS


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
        if isinstance(message[0], ast.Starred):
            return None
    if getattr(raised, "is_common_constant", False):
        return message
    return message if even_global and isinstance(raised, ast.Name) and raised.id == "AssertionError" else None
