"""Run the tests of one pattern on symbols: every slot stands for a part of the subject, however slots are permuted.

    MATCH_SEQUENCE; BRANCH; GET_LEN; LOAD_CONST 2; COMPARE_OP ==; BRANCH
    UNPACK_SEQUENCE 2; SWAP 2; LOAD_CONST 1; COMPARE_OP ==; BRANCH; STORE_FAST a        =>        [a, 1]

The run follows the way of success and notes where failures come out.  Alternatives of an or-pattern are run side by
side up to the place where they meet (Python/compile.c, compiler_pattern_or); captures that they leave there belong to
all of them.  ``pattern_operations.py`` has the operations, ``pattern_trees.py`` makes syntax trees of what is noted.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, Dict, FrozenSet, List, NamedTuple, Optional, Sequence, Set, Tuple, Union

from depyf.decompiler.disassemble.graph import Node
from depyf.decompiler.lift.copies import bisimulation_classes
from depyf.decompiler.lift.expressions import EXPRESSIONS
from depyf.decompiler.lift.pattern_operations import PATTERN_OPERATIONS
from depyf.decompiler.lift.pattern_slots import Event, Joined, Landing, NoPattern, Slot, Test, Tested

_OPERAND_LOADS: FrozenSet[str] = frozenset(["LOAD_FAST", "LOAD_NAME", "LOAD_GLOBAL", "LOAD_DEREF", "LOAD_CLASSDEREF"])
# What LOAD_LOCALS pushes: a class looks for the variables of a function around it there first.
_NAMESPACE = object()


class _State(NamedTuple):
    place: int
    stack: Tuple[Any, ...]
    events: Tuple[Event, ...]
    failures: Tuple[Landing, ...]


class Searched:
    """The nodes that patterns are looked for in.

    ``classes`` tells which nodes behave alike and come from one place in the source, ``alike`` which ones behave alike;
    ``is_or`` remembers which copies start an or-pattern.
    """

    def __init__(self, nodes: Sequence[Node]) -> None:
        self.nodes = nodes
        self.classes = bisimulation_classes(nodes, by_position=True)
        self.alike = bisimulation_classes(nodes, by_position=False)
        self.is_or: Dict[int, bool] = {}


class PatternRun:
    """One way of success through a pattern."""

    def __init__(self, code: Searched, place: int, stack: Sequence[Any]) -> None:
        self.code = code
        self.nodes = code.nodes
        self.place = place
        self.stack: List[Any] = list(stack)
        self.events: List[Event] = []
        self.failures: List[Landing] = []
        self.visited: Set[int] = set()

    @classmethod
    def whole(cls, code: Searched, start: int) -> Tested:
        """Run the pattern that starts at node ``start`` with its subject on top of the stack.

        It ends when the subject and all captures are used up.  Raises NoPattern if there is none.
        """
        root = Slot()
        run = cls(code, start, [root])
        while run.stack:
            run.step()
        if len({(code.alike[place], depth) for place, depth in run.failures}) > 1 or (
            run.failures and run.failures[0][1]
        ):
            raise NoPattern
        failure = run.failures[0][0] if run.failures else None
        return Tested(root, tuple(run.events), run.place, failure, run.visited)

    # the walk

    def step(self) -> None:
        """Run one operation, or a whole or-pattern."""
        node = self.nodes[self.place]
        self.visited.add(self.place)
        if node.op == "COPY" and node.arg == 1 and isinstance(self.peek(1), Slot) and self._starts_alternatives():
            self._alternatives()
            return
        if node.op == "BRANCH":
            self._branch(node)
            return
        rule = PATTERN_OPERATIONS.get(node.op)
        if rule is not None:
            rule(self, node)
        elif node.op.startswith("STORE_"):
            self._store(node)
        elif node.op in _OPERAND_LOADS:
            self.stack.append(EXPRESSIONS[node.op](node.arg))
        elif node.op == "LOAD_LOCALS":
            self.stack.append(_NAMESPACE)
        elif node.op == "LOAD_FROM_DICT_OR_DEREF" and self.stack and self.stack[-1] is _NAMESPACE:
            self.stack.append(EXPRESSIONS[node.op](node.arg, self.stack.pop()))
        else:
            raise NoPattern
        self.place = node.next[0]

    def peek(self, depth: int) -> Any:
        if depth > len(self.stack):
            raise NoPattern
        return self.stack[-depth]

    def pop(self, kind: Union[type, Tuple[type, ...]]) -> Any:
        """Pop a value of one kind, or of one of several."""
        if not self.stack or not isinstance(self.stack[-1], kind):
            raise NoPattern
        return self.stack.pop()

    def note(self, *event: Any) -> None:
        """Remember something about a slot."""
        self.events.append(event)

    def _branch(self, node: Node) -> None:
        test = self.pop(Test)
        success, failure = node.next if test.wanted else reversed(node.next)
        self.events.append(test.event)
        self.failures.append(self._landing(failure))
        self.place = success

    def _landing(self, place: int) -> Landing:
        """Where a failure comes out, behind the ladder of POP_TOPs, and how deep the stack is there."""
        depth = len(self.stack)
        while depth and self.nodes[place].op == "POP_TOP":
            self.visited.add(place)
            depth -= 1
            place = self.nodes[place].next[0]
        return place, depth

    def _store(self, node: Node) -> None:
        if node.op not in ("STORE_FAST", "STORE_NAME", "STORE_GLOBAL", "STORE_DEREF"):
            raise NoPattern
        slot = self.pop(Slot)
        pending = [slot]
        while pending:
            member = pending.pop()
            if isinstance(member, Joined):
                pending += member.members
            else:
                self.note("name", member, node.arg)

    # or-patterns

    def _starts_alternatives(self) -> bool:
        """Whether the copy made here is for the first of several alternatives.

        When it fails, the next one copies the same slot again.
        """
        known = self.code.is_or.get(self.place)
        if known is None:
            try:
                known = self._next_alternative(self._alternative(self.place)) is not None
            except NoPattern:
                known = False
            self.code.is_or[self.place] = known
        return known

    def _alternative(self, place: int) -> PatternRun:
        """A run of the alternative that starts at ``place``, up to its first test."""
        run = PatternRun(self.code, self.nodes[place].next[0], [*self.stack, Slot()])
        depth = len(self.stack)
        while not run.failures and len(run.stack) >= depth:
            run.step()
        return run

    def _next_alternative(self, run: PatternRun) -> Optional[int]:
        if not run.failures:
            return None
        place, depth = run.failures[0]
        node = self.nodes[place]
        return place if depth == len(self.stack) and node.op == "COPY" and node.arg == 1 else None

    def _alternatives(self) -> None:
        slot = self.stack[-1]
        depth = len(self.stack)
        starts = [self.place]
        roots: List[Slot] = []
        runs: List[_Trail] = []
        while len(starts) > len(runs):
            root = Slot()
            self.visited.add(starts[-1])
            run = PatternRun(self.code, self.nodes[starts[-1]].next[0], [*self.stack, root])
            roots.append(root)
            runs.append(_Trail(run))
            if len(runs) == 2:
                # The cases of one statement look like alternatives, too: two of them tell, however many there are.
                meeting(runs)
            following = runs[-1].first_failure()
            if following is not None and following[1] == depth and self._is_copy(following[0]):
                starts.append(following[0])
        ends = meeting(runs)
        for end, start in zip(ends, starts[1:]):
            if any((self.code.classes[place], at) != (self.code.classes[start], depth) for place, at in end.failures):
                raise NoPattern
        for end in ends:
            self.events += end.events
        for trail in runs:
            self.visited |= trail.run.visited
        self.note("or", slot, roots)
        self.failures += ends[-1].failures
        self.place = ends[0].place
        self.stack = [_joined(values) for values in zip(*(end.stack for end in ends))]

    def _is_copy(self, place: int) -> bool:
        return self.nodes[place].op == "COPY" and self.nodes[place].arg == 1


def _joined(values: Tuple[Any, ...]) -> Any:
    if all(value is values[0] for value in values):
        return values[0]
    return Joined(values)


class _Trail:
    """The states of a run, by node."""

    def __init__(self, run: PatternRun) -> None:
        self.run = run
        self.states: Dict[int, _State] = {}
        self.ended = False

    def advance(self) -> Optional[int]:
        """One step; returns the node that it ran, None at the end."""
        run = self.run
        place = run.place
        if self.ended or not run.stack or place in self.states:
            return None
        self.states[place] = _State(place, tuple(run.stack), tuple(run.events), tuple(run.failures))
        try:
            run.step()
        except NoPattern:
            self.ended = True
        return place

    def first_failure(self) -> Optional[Landing]:
        while not self.run.failures:
            if self.advance() is None:
                return None
        return self.run.failures[0]

    def by_class(self) -> Dict[Tuple[int, int], _State]:
        """The states by what happens from there on and how deep the stack is."""
        return {(self.run.code.classes[place], len(state.stack)): state for place, state in self.states.items()}


def meeting(trails: Sequence[_Trail]) -> List[_State]:
    """The states in which all runs meet first: at one node, or at the compiler's copies of one.

    Raises NoPattern if they do not.
    """
    if len(trails) < 2:
        raise NoPattern
    counts = Counter(place for trail in trails for place in trail.states)
    pending = list(counts)
    while pending:
        for place in pending:
            if counts[place] == len(trails):
                return [trail.states[place] for trail in trails]
        pending = [place for trail in trails for place in [trail.advance()] if place is not None]
        counts.update(pending)
    known = [trail.by_class() for trail in trails]
    for key in known[0]:
        if all(key in states for states in known):
            found = [states[key] for states in known]
            if _can_meet(found):
                return found
    raise NoPattern


def _can_meet(states: Sequence[_State]) -> bool:
    """Whether alternatives may end here: they leave captures, and nothing of a test that goes on."""
    columns = zip(*(state.stack for state in states))
    return all(all(value is column[0] or isinstance(value, Slot) for value in column) for column in columns)
