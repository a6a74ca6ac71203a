"""Find ``match`` statements and make one branch of every refutable pattern (PEP 634).

    LOAD_FAST x                             LOAD_FAST x; MATCH_SUBJECT
    COPY 1                                  COPY 1
    MATCH_SEQUENCE; BRANCH -> ladder        BRANCH [a, 1] -> (success, next case)
    GET_LEN; LOAD_CONST 2; == BRANCH   =>   ...
    UNPACK_SEQUENCE 2; SWAP 2
    LOAD_CONST 1; == BRANCH -> ladder
    STORE_FAST a

The subject waits on the operand stack while its cases are tested; every case but the last tests a copy
(Python/compile.c, compiler_match_inner).  A failed test drops what the pattern has put on the stack so far and goes on
to the next case, so that a test whose failure comes out at the depth of the subject belongs to a case.  A pattern
without a test, as in ``case x if …``, becomes MATCH_CAPTURE.
"""

from __future__ import annotations

from typing import Dict, List, NamedTuple, Optional, Sequence, Set

from depyf.decompiler.disassemble.graph import Graph, Handler, Node, Position
from depyf.decompiler.disassemble.opcodes import MICRO_OPS
from depyf.decompiler.disassemble.prune import prune
from depyf.decompiler.disassemble.stack import Stack, entry_stacks
from depyf.decompiler.lift.pattern_slots import NoPattern, Tested
from depyf.decompiler.lift.pattern_trees import pattern_of
from depyf.decompiler.lift.patterns import PatternRun, Searched
from depyf.decompiler.versions import PATTERN_MATCHING

_ONLY_IN_PATTERNS = frozenset(["MATCH_SEQUENCE", "MATCH_MAPPING", "MATCH_CLASS", "MATCH_CLASS_AND_SUCCESS"])
_NAMES = ("LOAD_FAST", "LOAD_NAME", "LOAD_GLOBAL", "LOAD_DEREF", "LOAD_CLASSDEREF", "LOAD_FROM_DICT_OR_DEREF")


class Case(NamedTuple):
    """The operand of the BRANCH that stands for a pattern: its syntax tree, and where the source has it."""

    pattern: object
    position: Position


class _Found(NamedTuple):
    start: int
    copied: bool
    tested: Tested


def contract_matches(graph: Graph) -> Graph:
    """``graph`` with every refutable pattern as one BRANCH whose operand is a :class:`Case`.

    MATCH_SUBJECT comes before the first case of every statement, MATCH_CAPTURE stands for a pattern without a test.
    """
    if not PATTERN_MATCHING:
        return graph
    starts = [number for number in range(len(graph.nodes)) if _may_start(graph.nodes, number)]
    after_guards = [target for node in graph.nodes if node.op == "BRANCH" for target in _after_guard(graph.nodes, node)]
    if not starts and not after_guards:
        return graph
    search = _Search(graph)
    for number in sorted({*starts, *after_guards}):
        if number not in search.consumed:
            search.try_statement(number, number in after_guards)
    return prune(graph.code, search.rewritten(), graph.entry)


def _after_guard(nodes: Sequence[Node], branch: Node) -> List[int]:
    """Where a guard leads when it fails, if ``branch`` may be one: when it holds, the subject is dropped."""
    yes, no = branch.next
    return [
        target for target, other in ((yes, no), (no, yes)) if nodes[other].op == "POP_TOP" and _uses_top(nodes[target])
    ]


def _uses_top(node: Node) -> bool:
    return node.op in ("LOAD_CONST", "COPY", "LOAD_LOCALS", *_NAMES) or (
        node.op.startswith("STORE_") and MICRO_OPS[node.op].pops == 1
    )


def _may_start(nodes: Sequence[Node], number: int) -> bool:
    node = nodes[number]
    if node.op == "LOAD_LOCALS":
        node = nodes[node.next[0]]
    if node.op == "COPY":
        return node.arg == 1 and nodes[node.next[0]].op != "BRANCH"
    if node.op in _NAMES:
        place = nodes[node.next[0]]
        while place.op == "LOAD_ATTR":
            place = nodes[place.next[0]]
        return place.op == "LOAD_CONST" and nodes[place.next[0]].op in _ONLY_IN_PATTERNS
    return node.op in _ONLY_IN_PATTERNS


def _after(tested: Tested) -> List[int]:
    if tested.failure is None:
        return [tested.success] * (2 if tested.always_tests() else 1)
    return [tested.success, tested.failure]


class _Search:
    """Finds the cases of one statement after the other."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.nodes = graph.nodes
        self.stacks: List[Stack] = entry_stacks(graph)
        self.code = Searched(graph.nodes)
        self.consumed: Set[int] = set()
        self.found: List[_Found] = []
        self.subjects: List[int] = []
        self.same: Dict[int, int] = {}
        self.before: List[List[int]] = [[] for _node in self.nodes]
        for number, node in enumerate(self.nodes):
            for target in node.next:
                self.before[target].append(number)

    def try_statement(self, number: int, after_guard: bool) -> None:
        """Take the cases of the statement whose first refutable case starts at ``number``, if one does.

        An irrefutable case with a guard, or a comparison that uses up the subject, counts behind a guard only.
        """
        if not self.stacks[number].depth:
            return
        first = self._refutable(number)
        start = number
        if after_guard or first is not None:
            start = self._where_subject_is_made(number)
        certain = first is not None and (
            self._is_copy(number) or any(self.nodes[place].op in _ONLY_IN_PATTERNS for place in first.tested.nodes)
        )
        if certain or (
            after_guard and start != number and (first is not None or self._irrefutable(number) is not None)
        ):
            cases = self._cases(start)
            self.subjects.append(start)
            self.found += cases
            for case in cases:
                self.consumed |= case.tested.nodes | {case.start}

    def _is_copy(self, number: int) -> bool:
        return self.nodes[number].op == "COPY" and self.nodes[number].arg == 1

    def _refutable(self, number: int) -> Optional[_Found]:
        """The pattern that starts at a node: one that uses up the subject, else one that tests a copy."""
        node = self.nodes[number]
        last = self._tested(number)
        if last is not None and (not self._is_copy(number) or self.code.is_or.get(number) or last.names_subject()):
            return _Found(number, False, last)
        if self._is_copy(number):
            copied = self._tested(node.next[0])
            if copied is not None and all(
                self.stacks[place].depth == self.stacks[number].depth for place in _after(copied)
            ):
                return _Found(number, True, copied)
        return None

    def _tested(self, start: int, refutable: bool = True) -> Optional[Tested]:
        try:
            tested = PatternRun.whole(self.code, start)
        except NoPattern:
            return None
        return tested if (tested.failure is not None or tested.always_tests()) is refutable else None

    def _irrefutable(self, number: int) -> Optional[_Found]:
        """The capture or wildcard that starts at a node, of a copy or, in the last case, of the subject."""
        if self._is_copy(number):
            copied = self._tested(self.nodes[number].next[0], refutable=False)
            return None if copied is None else _Found(number, True, copied)
        if not self.nodes[number].op.startswith("STORE_"):
            return None
        last = self._tested(number, refutable=False)
        return None if last is None else _Found(number, False, last)

    def _cases(self, start: int) -> List[_Found]:
        """Every refutable case from ``start`` on, as long as the subject waits on the stack."""
        cases: List[_Found] = []
        depth = self.stacks[start].depth
        seen = {start}
        pending = [start]
        while pending:
            number = pending.pop()
            found = None
            if self.stacks[number].depth == depth:
                found = self._refutable(number) or self._irrefutable(number)
            if found is not None:
                cases.append(found)
                targets = _after(found.tested) if found.copied else []
            else:
                targets = [] if self._touches(number, depth) else list(self.nodes[number].next)
            for target in targets:
                if target not in seen:
                    seen.add(target)
                    pending.append(target)
        self._join_copies(seen, depth)
        return cases

    def _join_copies(self, numbers: Set[int], depth: int) -> None:
        """Note which nodes are the compiler's copies: where a short body ends the code, every way to it has its own."""
        first: Dict[int, int] = {}
        for number in sorted(numbers):
            if self.stacks[number].depth == depth:
                self.same[number] = first.setdefault(self.code.classes[number], number)

    def _touches(self, number: int, depth: int) -> bool:
        pops, _pushes = MICRO_OPS[self.nodes[number].op].effect(self.nodes[number].arg)
        return self.stacks[number].depth - pops < depth

    def _where_subject_is_made(self, number: int) -> int:
        """The node that finds the subject just made.

        Irrefutable cases with guards may lie between it and the first refutable one.
        """
        depth = self.stacks[number].depth
        if any(self._touches(earlier, depth) or self._binds(earlier, depth) for earlier in self.before[number]):
            return number
        starts: Set[int] = set()
        seen = {number}
        pending = [number]
        while pending:
            place = pending.pop()
            for earlier in self.before[place]:
                if self._tests_subject(earlier, depth) or (
                    self._touches(earlier, depth) and not self._binds(earlier, depth)
                ):
                    starts.add(self._where_it_waits(place, depth))
                elif earlier not in seen:
                    seen.add(earlier)
                    pending.append(earlier)
        if len(starts) == 1:
            start = starts.pop()
            if self.stacks[start].depth == depth:
                return start
        return number

    def _where_it_waits(self, place: int, depth: int) -> int:
        """Where the subject lies on top: one way through a chain of comparisons drops what lies above it."""
        while self.stacks[place].depth > depth and len(self.nodes[place].next) == 1:
            place = self.nodes[place].next[0]
        return place

    def _tests_subject(self, number: int, depth: int) -> bool:
        """Whether a branch tests what it keeps: the subject is the value of ``and`` or ``or``."""
        earlier = self.before[number]
        return (
            self.nodes[number].op == "BRANCH"
            and len(earlier) == 1
            and self._is_copy(earlier[0])
            and self.stacks[earlier[0]].depth == depth
        )

    def _binds(self, number: int, depth: int) -> bool:
        """Whether a node belongs to the capture of a copy."""
        while self.stacks[number].depth > depth and len(self.before[number]) == 1:
            number = self.before[number][0]
        return self.stacks[number].depth == depth and self._is_copy(number) and self._irrefutable(number) is not None

    def rewritten(self) -> List[Node]:
        """The nodes with patterns contracted and subjects marked."""
        nodes = list(self.nodes)
        for start, copied, tested in self.found:
            handler = self._handler(start, tested)
            case = Case(pattern_of(tested), nodes[start].position)
            op = "BRANCH" if len(_after(tested)) == 2 else "MATCH_CAPTURE"
            branch = nodes[start]._replace(op=op, arg=case, next=tuple(_after(tested)), handler=handler)
            if copied:
                nodes[start] = nodes[start]._replace(next=(len(nodes),), handler=handler)
                nodes.append(branch)
            else:
                nodes[start] = branch
        for start in self.subjects:
            first = nodes[start]
            nodes.append(first)
            nodes[start] = first._replace(op="MATCH_SUBJECT", arg=None, next=(len(nodes) - 1,))
        return [node._replace(next=tuple(self.same.get(target, target) for target in node.next)) for node in nodes]

    def _handler(self, start: int, tested: Tested) -> Optional[Handler]:
        raising = [self.nodes[place] for place in sorted(tested.nodes) if MICRO_OPS[self.nodes[place].op].raises]
        return raising[0].handler if raising else self.nodes[start].handler
