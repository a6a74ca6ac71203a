"""Cases of a ``match``: a chain of pattern tests on one subject, each with a body and, where it fails, the next.

b0: if x matches [a] then b1 else b2        match x:
b1: if a > 0 then b3 else b2                    case [a] if a > 0:
b2: if x matches 1 then b4 else b5     =>           ...b3
b5: ...                                         case 1:
                                                    ...b4
                                                case _:
                                                    ...b5
"""

from __future__ import annotations

import ast
from collections import Counter
from typing import TYPE_CHECKING, Any, List, NamedTuple, Optional, Sequence, Set, Tuple

from depyf.decompiler.lift.binding import BindSubject
from depyf.decompiler.lift.blocks import BRANCH, RETURN, Block
from depyf.decompiler.lift.conditions import negated
from depyf.decompiler.lift.values import Iter, PatternTest, Subject

if TYPE_CHECKING:
    from depyf.decompiler.structure.jumps import Around
    from depyf.decompiler.structure.statements import Walk


class _Case(NamedTuple):
    pattern: Any
    guard: Optional[ast.expr]
    start: Optional[int]


def subject_of(block: Block) -> Optional[Subject]:
    """The subject that a block tests, or that waits while it tests a guard."""
    if block.kind != BRANCH:
        return None
    subject = block.test.subject if isinstance(block.test, PatternTest) else block.out[-1] if block.out else None
    return subject if isinstance(subject, Subject) else None


def is_in_match(block: Block) -> bool:
    """Whether a block belongs to a case: it finds a subject on the stack."""
    return any(isinstance(value, Subject) for value in block.entry)


def match_statement(walk: Walk, number: int, subject: Subject, around: Around, body: List[ast.stmt]) -> Optional[int]:
    """Write the ``match`` whose first case a block tests; returns the block behind it."""
    chain = _Chain(walk, subject)
    chain.collect(number, body)
    follow = chain.follow(around)
    inner = around if follow is None else around._replace(follow=follow)
    cases = [
        _case(case.pattern, case.guard, [] if case.start is None else walk.arm(case.start, inner))
        for case in chain.cases
    ]
    if chain.default is not None:
        if follow is None and chain.is_behind(chain.default, around) and chain.all_end(cases):
            follow = chain.default
        default = [] if follow == chain.default else walk.arm(chain.default, inner)
        if default:
            cases.append(_case(wildcard(), None, default))
    # Nodes are made by name: the oldest supported Python has no classes for them.
    body.append(ast.Match(subject.value, cases))  # type: ignore[attr-defined]
    return follow


def wildcard() -> Any:
    """The pattern ``_``."""
    return ast.MatchAs(None, None)  # type: ignore[attr-defined]


def _case(pattern: Any, guard: Optional[ast.expr], body: List[ast.stmt]) -> Any:
    return ast.match_case(pattern, guard, body or [ast.Pass()])  # type: ignore[attr-defined]


class _Chain:
    """The cases on one subject.

    ``tests`` are the blocks that decide between them, ``default`` is where control goes when all fail.
    """

    def __init__(self, walk: Walk, subject: Subject) -> None:
        self.walk = walk
        self.subject = subject
        self.cases: List[_Case] = []
        self.tests: Set[int] = set()
        self.default: Optional[int] = None
        self.column: Optional[int] = None

    def collect(self, number: int, body: List[ast.stmt]) -> None:
        """Follow the failures from the first case on; ``body`` ends with what its block does before it branches."""
        current: Optional[int] = number
        while current is not None:
            block = self.walk.layout.block(current)
            if subject_of(block) is not self.subject:
                self._last(current, block)
                return
            self.tests.add(current)
            self.walk.placed[current] = None
            bound = _take_binding(body if current == number else block.body)
            if isinstance(block.test, PatternTest):
                self.column = block.test.position.column
                current = self._refutable(block, block.test)
            else:
                current = self._guarded(block, bound)
            if current is not None and (not block.out or block.out[-1] is not self.subject):
                self._default(current)
                return

    def _refutable(self, block: Block, test: PatternTest) -> Optional[int]:
        success, failure = block.next
        waits = bool(block.out) and block.out[-1] is self.subject
        guard = self.walk.layout.block(success)
        if waits and success == failure:
            # The compiler drops the body of a case whose guard is a false constant.
            self.cases.append(_Case(test.pattern, ast.Constant(False), None))
        elif waits and self._decides_nothing(success, guard):
            self.cases.append(self._with_decided_guard(test.pattern, guard, failure))
            self.tests.add(success)
            self.walk.placed[success] = None
        elif self._is_guard(success, failure, test, waits):
            self.tests.add(success)
            self.walk.placed[success] = None
            condition, start = _passing(guard, next(target for target in guard.next if self._is_same(target, failure)))
            self.cases.append(_Case(test.pattern, condition, start))
        else:
            self.cases.append(_Case(test.pattern, None, success))
        return None if success == failure and _always_matches(test.pattern) else failure

    def _decides_nothing(self, number: int, block: Block) -> bool:
        """Whether a block only tests a guard whose last operand the compiler knows: ``a or True``, ``a and False``."""
        if block.body or not isinstance(block.test, ast.expr) or self.walk.ways_in[number] != 1:
            return False
        return subject_of(block) is self.subject and block.next[0] == block.next[1]

    def _with_decided_guard(self, pattern: Any, block: Block, failure: Optional[int]) -> _Case:
        assert isinstance(block.test, ast.expr)
        if failure is not None and self._is_same(block.next[0], failure):
            return _Case(pattern, ast.BoolOp(ast.And(), [block.test, ast.Constant(False)]), None)
        return _Case(pattern, ast.BoolOp(ast.Or(), [block.test, ast.Constant(True)]), block.next[0])

    def _is_guard(self, number: int, failure: int, test: PatternTest, waits: bool) -> bool:
        block = self.walk.layout.block(number)
        if not self._may_be_guard(number, block) or self.walk.ways_in[number] != 1:
            return False
        if not any(self._is_same(target, failure) for target in block.next):
            return False
        # The last case has nothing left to drop: an `if` in its body that leads to the same place is the same code.
        return waits or block.position.line is None or block.position.line == test.position.line

    def _is_same(self, one: int, other: int) -> bool:
        block = self.walk.layout.block
        return one == other or (_returns_nothing(block(one)) and _returns_nothing(block(other)))

    def _guarded(self, block: Block, bound: Any) -> Optional[int]:
        """``case _ if …`` or ``case name if …``."""
        yes, no = block.next
        if yes == no and self._drops_subject(yes):
            self.cases.append(self._with_decided_guard(wildcard() if bound is None else bound, block, None))
            return None
        failure = yes if self._drops_subject(no) and not self._drops_subject(yes) else no
        condition, start = _passing(block, failure)
        self.cases.append(_Case(wildcard() if bound is None else bound, condition, start))
        return failure

    def _drops_subject(self, number: int) -> bool:
        return self.walk.layout.block(number).nodes[0].op == "POP_TOP"

    def _last(self, current: int, block: Block) -> None:
        """What the last failure leads to with the subject still there: ``case name``, or everything else."""
        name = block.body[0] if block.body else None
        if isinstance(name, BindSubject):
            del block.body[0]
            lines = {node.position.line for node in block.nodes}
            if self._may_be_guard(current, block) and len(lines) == 1 and None not in lines:
                self._default(self._guarded_last(name.pattern, current, block))
            else:
                self.cases.append(_Case(name.pattern, None, current))
        elif self._may_be_guard(current, block):
            # Only in front of a last `case _` does a wildcard find the subject.
            self._guarded_last(wildcard(), current, block)
        else:
            self.default = current

    def _default(self, current: int) -> None:
        """What the last failure leads to without the subject: everything else, a guard told by its column."""
        block = self.walk.layout.block(current)
        self.default = current
        column = _first_column(block)
        if column is None or self.column is None or column < self.column + len("_ if "):
            return
        if (
            self._may_be_guard(current, block)
            and self.walk.ways_in[current] == self._own_ways()[current]
            and self._leads_behind(self._written_last(current, block))
        ):
            self._guarded_last(wildcard(), current, block)

    def _leads_behind(self, failure: int) -> bool:
        """Whether what a last guard fails to can be behind the statement: bodies do not meet anywhere else."""
        children = (child for number in self.tests for child in self.walk.children[number])
        meetings = [
            child for child in children if self.walk.ways_in[child] > 1 and child not in (self.default, failure)
        ]
        return self.walk.ways_in[failure] > 1 or not meetings

    def _may_be_guard(self, number: int, block: Block) -> bool:
        if block.kind != BRANCH or block.body or not isinstance(block.test, ast.expr):
            return False
        return block.next[0] != block.next[1] and number not in self.walk.loops

    def _guarded_last(self, pattern: Any, current: int, block: Block) -> int:
        """A last case with a guard; the compiler lays out a body before what comes behind it."""
        no = self._written_last(current, block)
        condition, start = _passing(block, no)
        self.tests.add(current)
        self.walk.placed[current] = None
        self.cases.append(_Case(pattern, condition, start))
        self.default = self._led_back(no)
        return self.default

    def _written_last(self, current: int, block: Block) -> int:
        # What lies behind a loop's body is where the loop starts.
        return max(block.next, key=lambda target: self._written_late(current, target))

    def _written_late(self, current: int, target: int) -> Tuple[bool, int]:
        start = self._led_back(target)
        return self.walk.place[start] < self.walk.place[current], self.walk.layout.block(target).offset

    def _led_back(self, target: int) -> int:
        """Where a guard fails to; its jump back has a line of its own, as if it were a ``continue``."""
        layout = self.walk.layout
        return layout.block(target).next[0] if target in layout.jumping else target

    def _own_ways(self) -> Counter[int]:
        """How often the blocks that decide between cases lead to a block."""
        return Counter(target for test in self.tests for target in self.walk.layout.block(test).next)

    def follow(self, around: Around) -> Optional[int]:
        """The block behind the statement: where bodies meet."""
        walk = self.walk
        starts = {case.start for case in self.cases}
        own = self._own_ways()
        merges = [
            child
            for number in self.tests
            for child in walk.children[number]
            if child not in self.tests
            and not (child != self.default and self._led_back(child) == self.default)
            and not (child != self.default and self.default is not None and self._is_same(child, self.default))
            and child not in (around.follow, around.leave, around.repeat)
            and ((child in starts) == (child == self.default) or walk.ways_in[child] > own[child])
        ]
        return max(merges, key=walk.place.__getitem__) if merges else None

    def all_end(self, written: Sequence[Any]) -> bool:
        """Whether control falls out of no case."""
        bodies = [case.body for known, case in zip(self.cases, written) if known.start is not None]
        return all(isinstance(body[-1], (ast.Return, ast.Raise, ast.Break, ast.Continue)) for body in bodies)

    def is_behind(self, default: int, around: Around) -> bool:
        """Whether the source has the default behind the statement instead of below ``case _``, told by its column."""
        block = self.walk.layout.block(default)
        if self.walk.jump(default, around) is not None:
            return False
        if _returns_nothing(block):
            return True
        column = _column(block)
        if column is not None and self.column is not None:
            return column <= self.column - len("case ")
        # Without columns: the line between the last body and the default is that of `case _`.
        line, last = block.nodes[0].position.line, self._last_line()
        return line is not None and last is not None and line == last + 1

    def _last_line(self) -> Optional[int]:
        """The last line of all bodies."""
        pending = [case.start for case in self.cases if case.start is not None]
        lines: List[int] = []
        while pending:
            number = pending.pop()
            pending += self.walk.children[number]
            lines += [
                node.position.line for node in self.walk.layout.block(number).nodes if node.position.line is not None
            ]
        return max(lines, default=None)


def _always_matches(pattern: Any) -> bool:
    """Whether a pattern ends in an alternative that has no test."""
    while type(pattern).__name__ in ("MatchOr", "MatchAs"):
        if type(pattern).__name__ == "MatchAs" and pattern.pattern is None:
            return True
        pattern = pattern.pattern if type(pattern).__name__ == "MatchAs" else pattern.patterns[-1]
    return False


def _returns_nothing(block: Block) -> bool:
    return block.kind == RETURN and not block.body and isinstance(block.test, ast.Constant) and block.test.value is None


def _column(block: Block) -> Optional[int]:
    """Where the first statement of a block starts."""
    start = _first_column(block)
    if start is None:
        return None
    first, last = block.nodes[0], block.nodes[-1]
    if block.kind == RETURN and first.op == "LOAD_CONST" and first.position == last.position:
        # A constant and the return of it are one instruction, or have one position: that of the constant.
        return start - len("return ")
    return start - _keyword(block)


def _first_column(block: Block) -> Optional[int]:
    """The lowest column of what a block evaluates in its first line."""
    line = block.nodes[0].position.line
    columns = [node.position.column for node in block.nodes if node.position.line == line and node.op != "POP_TOP"]
    return min((column for column in columns if column is not None), default=None)


def _keyword(block: Block) -> int:
    """How many columns of keywords come before what a compound statement evaluates first."""
    if block.body or not block.out:
        return len("if ") if block.kind == BRANCH and not block.body else 0
    if subject_of(block) is not None:
        return len("match ")
    return len("for _ in ") if isinstance(block.out[-1], Iter) else len("if ") if block.kind == BRANCH else 0


def _passing(block: Block, failure: int) -> Tuple[ast.expr, int]:
    assert isinstance(block.test, ast.expr)
    if block.next[1] == failure:
        return block.test, block.next[0]
    return negated(block.test), block.next[1]


def _take_binding(body: List[ast.stmt]) -> Any:
    """The irrefutable pattern that a block ends with."""
    if body and isinstance(body[-1], BindSubject):
        return body.pop().pattern  # type: ignore[attr-defined]
    return None
