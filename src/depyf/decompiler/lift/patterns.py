"""Run the tests of one pattern on symbols: every slot stands for a part of the subject, whatever way the slots are permuted.

    MATCH_SEQUENCE; BRANCH; GET_LEN; LOAD_CONST 2; COMPARE_OP ==; BRANCH
    UNPACK_SEQUENCE 2; SWAP 2; LOAD_CONST 1; COMPARE_OP ==; BRANCH; STORE_FAST a        =>        [a, 1]

The run follows the way of success and notes where failures come out.  Alternatives of an or-pattern are run side by side up to the place where they meet
(Python/compile.c, compiler_pattern_or); captures that they leave there belong to all of them.
"""

from __future__ import annotations

import ast
from collections import Counter
from typing import Any, Callable, Dict, FrozenSet, List, NamedTuple, Optional, Sequence, Set, Tuple, Union, cast

from depyf.decompiler.disassemble.constants import Const
from depyf.decompiler.disassemble.graph import Node
from depyf.decompiler.lift.copies import bisimulation_classes
from depyf.decompiler.lift.expressions import EXPRESSIONS, constant, is_none


class NoPattern(Exception):  # noqa: N818
    """What runs here is no pattern."""


class Slot:
    """A part of the subject."""


class Joined(Slot):
    """What the alternatives of an or-pattern left in one place of the stack."""

    def __init__(self, members: Sequence[Slot]) -> None:
        self.members = members


class _Length(NamedTuple):
    slot: Slot
    less: int


class _Test(NamedTuple):
    """A truth value; the pattern goes on where it is ``wanted``.  ``event`` is noted then."""

    event: Tuple[Any, ...]
    wanted: bool = True


class _Values(NamedTuple):
    """The tuple that MATCH_KEYS or MATCH_CLASS found, or None."""

    slot: Slot


class _Keys(NamedTuple):
    slot: Slot
    exprs: Tuple[ast.expr, ...]


class _Rest(Slot):
    """The dictionary that ``**rest`` is bound to."""


Landing = Tuple[int, int]
Event = Tuple[Any, ...]


class Tested(NamedTuple):
    """A pattern that was run: its root, what happened to its slots, where success and failure lead, and the nodes it consists of.

    ``failure`` is None for a capture or wildcard.
    """

    root: Slot
    events: Tuple[Event, ...]
    success: int
    failure: Optional[int]
    nodes: Set[int]

    def always_tests(self) -> bool:
        """Whether tests are made although the pattern always matches: its last alternative is a capture."""
        return self.failure is None and any(event[0] == "or" for event in self.events)

    def names_subject(self) -> bool:
        """Whether the pattern ends in ``as name``."""
        return any(event[0] == "name" and event[1] is self.root for event in self.events)


class _State(NamedTuple):
    place: int
    stack: Tuple[Any, ...]
    events: Tuple[Event, ...]
    failures: Tuple[Landing, ...]


class Searched:
    """The nodes that patterns are looked for in.

    ``classes`` tells which nodes behave alike and come from one place in the source, ``alike`` which ones behave alike; ``is_or`` remembers which copies start
    an or-pattern.
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
        """Run the pattern that starts at node ``start`` with its subject on top of the stack, until the subject and all captures are used up.

        Raises NoPattern if there is none.
        """
        root = Slot()
        run = cls(code, start, [root])
        while run.stack:
            run.step()
        if len({(code.alike[place], depth) for place, depth in run.failures}) > 1 or run.failures and run.failures[0][1]:
            raise NoPattern
        failure = run.failures[0][0] if run.failures else None
        return Tested(root, tuple(run.events), run.place, failure, run.visited)

    # the walk

    def step(self) -> None:
        """Run one operation, or a whole or-pattern."""
        node = self.nodes[self.place]
        self.visited.add(self.place)
        if node.op == "COPY" and node.arg == 1 and isinstance(self._peek(1), Slot) and self._starts_alternatives():
            self._alternatives()
            return
        if node.op == "BRANCH":
            self._branch(node)
            return
        rule = _RULES.get(node.op)
        if rule is not None:
            rule(self, node)
        elif node.op.startswith("STORE_"):
            self._store(node)
        elif node.op in _OPERAND_LOADS:
            self.stack.append(EXPRESSIONS[node.op](node.arg))
        else:
            raise NoPattern
        self.place = node.next[0]

    def _peek(self, depth: int) -> Any:
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
        test = self.pop(_Test)
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
        """Whether the copy made here is for the first of several alternatives: when it fails, the next one copies the same slot again."""
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


# the operations

_Rule = Callable[[PatternRun, Node], None]
_RULES: Dict[str, _Rule] = {}
_OPERAND_LOADS: FrozenSet[str] = frozenset(["LOAD_FAST", "LOAD_NAME", "LOAD_GLOBAL", "LOAD_DEREF", "LOAD_CLASSDEREF"])


def rule(*ops: str) -> Callable[[_Rule], _Rule]:
    """Register the function that runs an operation."""

    def register(function: _Rule) -> _Rule:
        for op in ops:
            _RULES[op] = function
        return function

    return register


@rule("COPY")
def _copy(run: PatternRun, node: Node) -> None:
    value = run._peek(cast(int, node.arg))
    if isinstance(value, ast.expr):
        raise NoPattern
    run.stack.append(value)


@rule("SWAP")
def _swap(run: PatternRun, node: Node) -> None:
    depth = cast(int, node.arg)
    run._peek(depth)
    run.stack[-1], run.stack[-depth] = run.stack[-depth], run.stack[-1]


@rule("POP_TOP")
def _pop_top(run: PatternRun, _node: Node) -> None:
    value = run.pop((Slot, _Values, _Keys, ast.Tuple))
    if isinstance(value, Slot):
        run.note("dropped", value)


@rule("LOAD_CONST")
def _load_const(run: PatternRun, node: Node) -> None:
    run.stack.append(_literal(cast(Const, node.arg).value))


def _literal(value: object) -> ast.expr:
    if isinstance(value, tuple):
        return ast.Tuple([_literal(item) for item in value], ast.Load())
    return _complex(value) if isinstance(value, complex) else constant(value)


def _complex(value: complex) -> ast.expr:
    """A complex number as patterns can have it: an imaginary number, or a real number plus or minus one."""
    imaginary = complex(0.0, abs(value.imag))
    part = ast.Constant(imaginary)
    if repr(imaginary) == repr(value):
        return part
    if repr(-imaginary) == repr(value):
        return ast.UnaryOp(ast.USub(), part)
    less = repr(value.real - imaginary) == repr(value)
    return ast.BinOp(constant(value.real), ast.Sub() if less else ast.Add(), part)


@rule("LOAD_ATTR")
def _load_attr(run: PatternRun, node: Node) -> None:
    run.stack.append(EXPRESSIONS["LOAD_ATTR"](node.arg, run.pop(ast.expr)))


@rule("BUILD_TUPLE")
def _build_tuple(run: PatternRun, node: Node) -> None:
    values = [run.pop(ast.expr) for _index in range(cast(int, node.arg))]
    run.stack.append(ast.Tuple(values[::-1], ast.Load()))


@rule("MATCH_SEQUENCE", "MATCH_MAPPING")
def _match_kind(run: PatternRun, node: Node) -> None:
    slot = run._peek(1)
    if not isinstance(slot, Slot):
        raise NoPattern
    run.stack.append(_Test(("kind", slot, node.op)))


@rule("GET_LEN")
def _get_len(run: PatternRun, _node: Node) -> None:
    slot = run._peek(1)
    if not isinstance(slot, Slot):
        raise NoPattern
    run.stack.append(_Length(slot, 0))


@rule("BINARY_OP")
def _minus(run: PatternRun, node: Node) -> None:
    count = _integer(run.pop(ast.Constant))
    length = run.pop(_Length)
    if node.arg != "-":
        raise NoPattern
    run.stack.append(_Length(length.slot, count))


def _integer(node: ast.Constant) -> int:
    if type(node.value) is not int:
        raise NoPattern
    return node.value


@rule("COMPARE_OP")
def _compare(run: PatternRun, node: Node) -> None:
    right = run.pop(ast.expr)
    left = run.pop(object)
    if isinstance(left, _Length) and node.arg in ("==", ">="):
        run.stack.append(_Test(("length", left.slot, node.arg, _integer(right))))
    elif isinstance(left, Slot) and node.arg == "==":
        run.stack.append(_Test(("value", left, right)))
    else:
        raise NoPattern


@rule("IS_OP")
def _is(run: PatternRun, node: Node) -> None:
    right = run.pop(ast.Constant)
    left = run.pop(object)
    if isinstance(left, _Values) and is_none(right):
        run.stack.append(_Test(("found", left.slot), wanted=node.arg == 1))
    elif isinstance(left, Slot) and node.arg == 0:
        run.stack.append(_Test(("singleton", left, right.value)))
    else:
        raise NoPattern


@rule("MATCH_CLASS", "MATCH_CLASS_AND_SUCCESS")
def _match_class(run: PatternRun, node: Node) -> None:
    names = run.pop(ast.Tuple)
    kind = run.pop(ast.expr)
    slot = run.pop(Slot)
    run.note("class", slot, kind, node.arg, [name.value for name in names.elts])
    run.stack.append(_Values(slot))
    if node.op == "MATCH_CLASS_AND_SUCCESS":
        run.stack.append(_Test(("found", slot)))


@rule("MATCH_KEYS", "MATCH_KEYS_AND_SUCCESS")
def _match_keys(run: PatternRun, node: Node) -> None:
    keys = run.pop(ast.Tuple)
    slot = run._peek(1)
    if not isinstance(slot, Slot):
        raise NoPattern
    run.note("keys", slot, keys.elts)
    run.stack += [_Keys(slot, tuple(keys.elts)), _Values(slot)]
    if node.op == "MATCH_KEYS_AND_SUCCESS":
        run.stack.append(_Test(("found", slot)))


@rule("UNPACK_SEQUENCE")
def _unpack_sequence(run: PatternRun, node: Node) -> None:
    source = run.pop(object)
    count = cast(int, node.arg)
    if isinstance(source, _Keys) and len(source.exprs) == count:
        run.stack += reversed(source.exprs)
    elif isinstance(source, (_Values, Slot)):
        parts = [Slot() for _index in range(count)]
        slot = source.slot if isinstance(source, _Values) else source
        for index, part in enumerate(parts):
            run.note("part", slot, index, part)
        run.note("unpacked", slot)
        run.stack += reversed(parts)
    else:
        raise NoPattern


@rule("UNPACK_EX")
def _unpack_ex(run: PatternRun, node: Node) -> None:
    slot = run.pop(Slot)
    before, after = cast(Tuple[int, int], node.arg)
    parts = [Slot() for _index in range(before + 1 + after)]
    for index, part in enumerate(parts[:before]):
        run.note("part", slot, index, part)
    run.note("star", slot, parts[before])
    for index, part in enumerate(parts[before + 1 :]):
        run.note("part", slot, index - after, part)
    run.note("unpacked", slot)
    run.stack += reversed(parts)


@rule("BINARY_SUBSCR")
def _subscript(run: PatternRun, _node: Node) -> None:
    index = run.pop(object)
    source = run.pop(object)
    part = Slot()
    if isinstance(index, _Length) and source is index.slot:
        run.note("part", source, -index.less, part)
    elif isinstance(index, ast.Constant) and isinstance(source, (Slot, _Values)):
        run.note("part", source.slot if isinstance(source, _Values) else source, _integer(index), part)
    else:
        raise NoPattern
    run.stack.append(part)


@rule("BUILD_MAP")
def _build_map(run: PatternRun, node: Node) -> None:
    if node.arg:
        raise NoPattern
    run.stack.append(_Rest())


@rule("DICT_UPDATE")
def _dict_update(run: PatternRun, node: Node) -> None:
    slot = run.pop(Slot)
    rest = run._peek(cast(int, node.arg))
    if not isinstance(rest, _Rest):
        raise NoPattern
    run.note("rest", slot, rest)


@rule("DELETE_SUBSCR")
def _delete_subscript(run: PatternRun, _node: Node) -> None:
    run.pop(ast.expr)
    run.pop(_Rest)


@rule("COPY_DICT_WITHOUT_KEYS")
def _copy_dict_without_keys(run: PatternRun, _node: Node) -> None:
    keys = run.pop(_Keys)
    rest = _Rest()
    run.note("rest", keys.slot, rest)
    run.stack.append(rest)


# the syntax tree


class _Part:
    """What is known about one slot."""

    def __init__(self) -> None:
        self.names: List[str] = []
        self.events: Dict[str, Tuple[Any, ...]] = {}
        self.parts: Dict[int, Slot] = {}


def pattern_of(tested: Tested) -> Any:
    """The syntax tree of a pattern."""
    known: Dict[Slot, _Part] = {}
    for event in tested.events:
        what, slot, *rest = event
        part = known.setdefault(slot, _Part())
        if what == "name":
            part.names.append(rest[0])
        elif what == "part":
            part.parts[rest[0]] = rest[1]
        else:
            part.events[what] = tuple(rest)
    return _Writer(known).pattern(tested.root)


# Nodes are made by name: the oldest supported Python has no classes for them.
def _node(name: str, *fields: Any) -> Any:
    return getattr(ast, name)(*fields)


class _Writer:
    def __init__(self, known: Dict[Slot, _Part]) -> None:
        self.known = known

    def pattern(self, slot: Optional[Slot]) -> Any:
        part = self.known.get(slot) if slot is not None else None
        if part is None:
            return _node("MatchAs", None, None)
        pattern = self._tested(part)
        if pattern is None and "dropped" in part.events and part.names:
            pattern = _node("MatchAs", None, None)
        for name in part.names:
            pattern = _node("MatchAs", pattern, name)
        return _node("MatchAs", None, None) if pattern is None else pattern

    def _tested(self, part: _Part) -> Any:
        events = part.events
        if "or" in events:
            return _node("MatchOr", [self.pattern(root) for root in events["or"][0]])
        if "value" in events:
            return _node("MatchValue", events["value"][0])
        if "singleton" in events:
            return _node("MatchSingleton", events["singleton"][0])
        if "class" in events:
            return self._class(part)
        if "kind" in events:
            return self._sequence(part) if events["kind"][0] == "MATCH_SEQUENCE" else self._mapping(part)
        return None

    def _class(self, part: _Part) -> Any:
        kind, positional, names = part.events["class"]
        patterns = [self.pattern(part.parts.get(index)) for index in range(positional + len(names))]
        return _node("MatchClass", kind, patterns[:positional], names, patterns[positional:])

    def _mapping(self, part: _Part) -> Any:
        keys = part.events.get("keys", ([],))[0]
        patterns = [self.pattern(part.parts.get(index)) for index in range(len(keys))]
        rest = None
        if "rest" in part.events:
            names = self.known[part.events["rest"][0]].names
            rest = names[0] if names else None
        return _node("MatchMapping", keys, patterns, rest)

    def _sequence(self, part: _Part) -> Any:
        test, length = part.events.get("length", (">=", 0))
        last = [index for index in part.parts if index < 0]
        after = -min(last) if last else 0
        patterns = [self.pattern(part.parts.get(index)) for index in range(length - after)]
        if test == ">=":
            patterns.append(self._star(part))
        patterns += [self.pattern(part.parts.get(index)) for index in range(-after, 0)]
        return _node("MatchSequence", patterns)

    def _star(self, part: _Part) -> Any:
        star = part.events.get("star")
        names = self.known[star[0]].names if star is not None and star[0] in self.known else []
        return _node("MatchStar", names[0] if names else None)


def constant_statement(value: ast.expr) -> Any:
    """A statement that evaluates a constant: the compiler drops constants on their own, but not the subject of a ``match``."""
    return _node("Match", value, [_node("match_case", _node("MatchAs", None, None), None, [ast.Pass()])])
