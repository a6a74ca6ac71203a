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
from typing import TYPE_CHECKING, Any, List, NamedTuple, Optional, Set, Tuple

from depyf.decompiler.lift.blocks import BRANCH, RETURN, Block
from depyf.decompiler.lift.conditions import negated
from depyf.decompiler.lift.machine import BindSubject
from depyf.decompiler.lift.values import PatternTest, Subject

if TYPE_CHECKING:
    from depyf.decompiler.structure.statements import Around, _Walk


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


def match_statement(walk: _Walk, number: int, subject: Subject, around: Around, body: List[ast.stmt]) -> Optional[int]:
    """Write the ``match`` whose first case a block tests; returns the block behind it."""
    chain = _Chain(walk, subject)
    chain.collect(number, body)
    follow = chain.follow(around)
    inner = around if follow is None else around._replace(follow=follow)
    cases = [_case(case.pattern, case.guard, [] if case.start is None else walk.arm(case.start, inner)) for case in chain.cases]
    if chain.default is not None:
        default = walk.arm(chain.default, inner)
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
    """The cases on one subject; ``tests`` are the blocks that decide between them, ``default`` is where control goes when all fail."""

    def __init__(self, walk: _Walk, subject: Subject) -> None:
        self.walk = walk
        self.subject = subject
        self.cases: List[_Case] = []
        self.tests: Set[int] = set()
        self.default: Optional[int] = None

    def collect(self, number: int, body: List[ast.stmt]) -> None:
        """Follow the failures from the first case on; ``body`` ends with what the first block does before it branches."""
        current = number
        while True:
            block = self.walk.layout.block(current)
            if subject_of(block) is not self.subject:
                self._last(current, block)
                return
            self.tests.add(current)
            self.walk.placed.add(current)
            bound = _take_binding(body if current == number else block.body)
            if isinstance(block.test, PatternTest):
                current = self._refutable(block, block.test)
            else:
                current = self._guarded(block, bound)
            if not block.out or block.out[-1] is not self.subject:
                self.default = current
                return

    def _refutable(self, block: Block, test: PatternTest) -> int:
        success, failure = block.next
        waits = bool(block.out) and block.out[-1] is self.subject
        guard = self.walk.layout.block(success)
        if waits and success == failure:
            # The compiler drops the body of a case whose guard is a false constant.
            self.cases.append(_Case(test.pattern, ast.Constant(False), None))
        elif self._is_guard(success, failure, test, waits):
            self.tests.add(success)
            self.walk.placed.add(success)
            condition, start = _passing(guard, failure)
            self.cases.append(_Case(test.pattern, condition, start))
        else:
            self.cases.append(_Case(test.pattern, None, success))
        return failure

    def _is_guard(self, number: int, failure: int, test: PatternTest, waits: bool) -> bool:
        block = self.walk.layout.block(number)
        if block.kind != BRANCH or block.body or not isinstance(block.test, ast.expr) or failure not in block.next:
            return False
        if self.walk.ways_in[number] != 1 or block.next[0] == block.next[1] or number in self.walk.loops:
            return False
        # The last case has nothing left to drop: an `if` in its body that leads to the same place is the same code.
        return waits or block.position.line is None or block.position.line == test.line

    def _guarded(self, block: Block, bound: Any) -> int:
        """``case _ if …`` or ``case name if …``."""
        yes, no = block.next
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
            self.cases.append(_Case(name.pattern, None, current))
        else:
            self.default = current

    def follow(self, around: Around) -> Optional[int]:
        """The block behind the statement: where bodies meet, else the default when it is not written like a body."""
        walk = self.walk
        starts = {case.start for case in self.cases}
        merges = [
            child
            for number in self.tests
            for child in walk.children[number]
            if child not in self.tests
            and child not in (around.follow, around.leave, around.repeat)
            and ((child in starts) == (child == self.default) or self._reached_from_bodies(child))
        ]
        if merges:
            return max(merges, key=walk.place.__getitem__)
        if self.default is not None and walk.jump(self.default, around) is None and not self._is_indented(self.default):
            return self.default
        return None

    def _is_indented(self, default: int) -> bool:
        """Whether the source has the default below ``case _``, told by its column; an empty ``return`` is left to the end of the function."""
        block = self.walk.layout.block(default)
        if block.kind == RETURN and isinstance(block.test, ast.Constant) and block.test.value is None:
            return False
        bodies = [_column(self.walk.layout.block(case.start)) for case in self.cases if case.start is not None]
        return _column(block) is None or _column(block) in bodies

    def _reached_from_bodies(self, number: int) -> bool:
        own = sum(self.walk.layout.block(test).next.count(number) for test in self.tests)
        return self.walk.ways_in[number] > own


def _column(block: Block) -> Optional[int]:
    """Where the first statement of a block starts."""
    columns = [node.position.column for node in block.nodes if node.position.line == block.nodes[0].position.line and node.op != "POP_TOP"]
    return min((column for column in columns if column is not None), default=None)


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
