"""Effect graph to blocks of operations on named values: data movement is gone, what paths disagree on is a Phi.

    LOAD_FAST a; BUILD_LIST 1; COPY 1; LOAD_CONST 0;          b0: s1 = BINARY_OP + (a, 1)
    BINARY_SUBSCR; LOAD_CONST 1; BINARY_OP +; ...       =>        goto b7
    7 FOR_ITER ...                                            b7: for s2 in s1: b8, else b20

A symbol is named for the operation that makes it, so that running a block again names the same values the same way; a
Phi is named for the place at which paths meet.  Blocks are run until the states at which they start no longer change.
"""

from __future__ import annotations

from typing import Dict, FrozenSet, Iterator, List, NamedTuple, Optional, Sequence, Set, Tuple, Union, cast

from depyf.decompiler.disassemble.graph import Graph, Handler
from depyf.decompiler.refusals import TOO_LONG, Refused
from depyf.decompiler.symbolic import OPERATIONS, Machine
from depyf.decompiler.symbolic.effects import Effect
from depyf.decompiler.symbolic.joins import Join
from depyf.decompiler.symbolic.liveness import Liveness
from depyf.decompiler.symbolic.machine import Listener, parameters
from depyf.decompiler.symbolic.state import Container, State
from depyf.decompiler.symbolic.values import NONE, UNBOUND, MaybeUnbound, Ref, Symbol, Term, Value

# A value as it is printed: containers that nobody else holds are spelt out.
Shown = Union[Value, Container]
_RUNS_PER_BLOCK = 40
_EVENTS_PER_NODE = 8


class Phi(NamedTuple):
    """Origin of a symbol for what paths into block ``block`` bring to ``place``."""

    block: int
    place: object


class Made(NamedTuple):
    """A container comes into being under a name, because it is needed again."""

    result: Symbol
    contents: Shown


class Dropped(NamedTuple):
    """The original deletes a local here, and nothing else holds its value."""

    value: Symbol


class Operation(NamedTuple):
    """An effect: operands as shown, results, and what its handler finds if it raises."""

    kind: Tuple[object, ...]
    operands: Tuple[Shown, ...]
    results: Tuple[Symbol, ...]
    node: int
    raising: Optional[Way]


class Way(NamedTuple):
    """A way to another block and the state that arrives there."""

    target: int
    state: State


Event = Union[Made, Dropped, Operation]


class Block(NamedTuple):
    """Events in order, then the ways on: none, one, or one per edge of the last operation.

    ``handler`` is the block that raising enters, None where the exception leaves the frame; a ``quiet`` block cannot
    raise.
    """

    number: int
    events: Tuple[Event, ...]
    ways: Tuple[Way, ...]
    handler: Optional[int]
    quiet: bool


class Flow(Listener):
    """The blocks of ``graph`` by number; ``hints`` are the names under which the original stores values."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.machine = Machine(graph, listener=self)
        always = () if self.machine.first_local is None else (self.machine.first_local,)
        self.liveness = Liveness(graph, always)
        self.hints: Dict[Symbol, str] = {}
        self.blocks: Dict[int, Block] = {}
        self.entries: Dict[int, State] = {}
        self.arguments = [Symbol(("argument", name)) for name in parameters(graph.code)]
        self._symbols: Dict[object, Symbol] = {}
        self._ways_in: Dict[int, Dict[object, State]] = {}
        self._dropped: List[Symbol] = []
        self._solve()

    # Listening to what is silent.

    def stored(self, name: str, value: Value) -> None:
        if isinstance(value, Symbol):
            self.hints.setdefault(value, name)

    def deleted(self, state: State, value: Value) -> None:
        if isinstance(value, Symbol) and not any(held is value for held in everything(state)):
            self._dropped.append(value)

    # The fixed point.

    def _solve(self) -> None:
        start = self.start = self.machine.start(self.arguments)
        self._ways_in[start.node] = {"entry": start}
        pending = [start.node]
        runs: Dict[int, int] = {}
        while pending:
            number = pending.pop(0)
            runs[number] = runs.get(number, 0) + 1
            if runs[number] > _RUNS_PER_BLOCK:
                raise Refused(TOO_LONG, "the values where paths meet do not settle", self.graph.code.co_name)
            if not self._enter(number):
                continue
            block = _Run(self, number, self.entries[number].copy()).block
            self.blocks[number] = block
            for key, way in _ways_of(block):
                self._ways_in.setdefault(way.target, {})[(number, key)] = way.state
                if way.target not in pending:
                    pending.append(way.target)
        self._prune()
        self.handlers = {event.raising.target for block in self.blocks.values() for event in _raising(block)}  # type: ignore[union-attr]
        self.used_exceptions = {symbol for block in self.blocks.values() for symbol in _used(block)}

    def _enter(self, number: int) -> bool:
        """Join the ways into a block; whether its entry is new."""
        ways = list(self._ways_in[number].values())
        live = self.liveness.before(number)
        entry = ways[0]
        for way in ways[1:]:
            join = Join((entry,), (way,), (live,), lambda symbol: self._is_phi(symbol, number), self._phi_maker(number))
            entry = join.states[0]
        known = self.entries.get(number)
        if known is not None and fingerprint(known, live) == fingerprint(entry, live):
            return False
        self.entries[number] = entry
        return True

    @staticmethod
    def _is_phi(symbol: Symbol, number: int) -> bool:
        return isinstance(symbol.origin, Phi) and symbol.origin.block == number

    def _phi_maker(self, number: int):  # type: ignore[no-untyped-def]
        def fresh(place: object, kind: Optional[str], maybe_unbound: bool) -> Symbol:
            key = (Phi(number, place), kind, maybe_unbound)
            if key not in self._symbols:
                symbol = MaybeUnbound(key[0]) if maybe_unbound else Symbol(key[0], kind)
                self._symbols[key] = symbol
                if isinstance(place, str):
                    self.hints[symbol] = place
            return self._symbols[key]

        return fresh

    def _prune(self) -> None:
        """Forget blocks that only earlier, less general states led to."""
        reached: Set[int] = set()
        pending = [self.graph.entry]
        while pending:
            number = pending.pop()
            if number not in reached:
                reached.add(number)
                pending += [way.target for _, way in _ways_of(self.blocks[number])]
        self.blocks = {number: block for number, block in self.blocks.items() if number in reached}

    def symbol(self, node: int, part: object, kind: Optional[str] = None) -> Symbol:
        """The symbol that stands for one result of the operation at ``node``."""
        key = (node, part, kind)
        if key not in self._symbols:
            self._symbols[key] = Symbol((node, part), kind)
        return self._symbols[key]

    def live_values(self, way: Way) -> Iterator[Value]:
        """Values that the block at the end of ``way`` can still read."""
        live = self.liveness.before(way.target)
        yield from (way.state.resolve(value) for value in way.state.stack)
        yield from (way.state.resolve(value) for name, value in way.state.locals.items() if name in live)
        yield from (value for _, value in way.state.handled)

    def arrivals(self, way: Way) -> Iterator[Tuple[Value, Shown]]:
        """What the block at the end of ``way`` calls its values, each with the value that this way brings."""
        entry, state = self.entries[way.target], way.state
        live = self.liveness.before(way.target)
        pending: List[Tuple[Value, Value]] = list(zip(entry.stack, state.stack))
        pending += [(value, state.locals.get(name, UNBOUND)) for name, value in entry.locals.items() if name in live]
        pending += [(value, brought) for (_, value), (_, brought) in zip(entry.handled, state.handled)]
        while pending:
            name, value = pending.pop(0)
            name, value = entry.resolve(name), state.resolve(value)
            if isinstance(name, Symbol):
                yield name, show(state, value)
            elif type(name) is Ref:
                inside, brought = entry.contents(name), state.contents(value)
                assert inside is not None and brought is not None
                pending += zip(inside.values(), brought.values())
            elif isinstance(name, Term) and type(name) is type(value):
                parts = zip(name.parts, value.parts)  # type: ignore[union-attr]
                pending += [(a, b) for a, b in parts if isinstance(a, (Symbol, Term))]

    def take_dropped(self) -> List[Symbol]:
        """Values dropped since the last call."""
        dropped, self._dropped = self._dropped, []
        return dropped


def _ways_of(block: Block) -> Iterator[Tuple[object, Way]]:
    for number, way in enumerate(block.ways):
        yield number, way
    for number, event in enumerate(block.events):
        if isinstance(event, Operation) and event.raising is not None:
            yield ("raised", number), event.raising


def _raising(block: Block) -> Iterator[Operation]:
    return (event for event in block.events if isinstance(event, Operation) and event.raising is not None)


def _used(block: Block) -> Iterator[Symbol]:
    """Symbols that operations take as values; matching and raising again name no value."""
    for event in block.events:
        if isinstance(event, Operation) and event.kind[0] not in ("EXC_MATCH", "RERAISE", "WITH_EXCEPT_START"):
            for operand in event.operands:
                yield from symbols_in(operand)
        elif isinstance(event, Made):
            yield from symbols_in(event.contents)


class _Run:
    """One run through one block."""

    def __init__(self, flow: Flow, number: int, state: State) -> None:
        self.flow = flow
        self.machine = flow.machine
        self.number = number
        self.state = state
        self.events: List[Event] = []
        self.raised = False
        self.merged: Optional[Ref] = None
        self.handler: Optional[int] = None
        ways = self._follow()
        self._note_dropped()
        self.block = Block(number, tuple(self.events), ways, self.handler, not self.raised)

    def _follow(self) -> Tuple[Way, ...]:
        state = self.state
        self.flow.take_dropped()
        while True:
            effect = self.machine.advance_to_join(state)
            self._note_dropped()
            if effect is None:
                self._settle(None)
                return (Way(state.node, state),)
            raising = self._raising(effect)
            if self._ends_before(effect, raising):
                return (Way(state.node, state),)
            self._settle(effect)
            if self._name_kept(effect):
                effect = self.machine.advance(state)
                raising = self._raising(effect)
            results = tuple(self.flow.symbol(state.node, part, kind) for part, kind in enumerate(effect.results))
            operands = tuple(show(state, operand) for operand in effect.operands)
            self.events.append(Operation(effect.kind, operands, results, state.node, raising))
            if len(self.events) > _EVENTS_PER_NODE * len(self.machine.nodes):
                raise Refused(TOO_LONG, "a loop that starts nowhere", self.flow.graph.code.co_name)
            if len(effect.edges) != 1:
                return self._ways(effect, results)
            before = state.node
            self._note_merge(effect)
            self.machine.take(state, effect, 0, results)
            if effect.kind == ("BEFORE_WITH",):
                self._store_entered()
                return (Way(state.node, state),)
            if self._leaves_with(effect):
                return (Way(state.node, state),)
            if state.merged and state.node != before:
                self._settle(None)
                return (Way(state.node, state),)

    def _ways(self, effect: Effect, results: Sequence[Symbol]) -> Tuple[Way, ...]:
        ways = []
        for edge in range(len(effect.edges)):
            state = self.state.copy()
            self.machine.take(state, effect, edge, results)
            ways.append(Way(state.node, state))
        return tuple(ways)

    def _ends_before(self, effect: Effect, raising: Optional[Way]) -> bool:
        """A block has one handler, and FOR_ITER is alone in its block."""
        handler = None if raising is None else raising.target
        if (effect.kind == ("FOR_ITER",) or self._leaves_with(effect)) and self.state.node != self.number:
            self._settle(None)
            return True
        if not effect.raises:
            return False
        if not self.raised:
            self.raised, self.handler = True, handler
        return handler != self.handler

    def _leaves_with(self, effect: Effect) -> bool:
        """Whether an operation calls the exit function of a ``with`` whose body ends here."""
        if effect.kind != ("CALL", 3, ()) or effect.operands[1:] != (NONE, NONE, NONE):
            return False
        return entered_by(self.machine, effect.operands[0]) is not None

    def _store_entered(self) -> None:
        """What a ``with`` does with the value of its context manager belongs to the statement."""
        node = self.machine.nodes[self.state.node]
        if node.op in ("POP_TOP", "STORE_FAST") and self.state.node not in self.machine.joins:
            OPERATIONS[node.op](self.machine, self.state, node)
            self.state.node = node.next[0]

    def _note_merge(self, effect: Effect) -> None:
        """A dict that was merged into is complete, or goes on being filled: the next operation tells."""
        node = self.machine.nodes[self.state.node]
        if effect.kind[0] == "MERGE":
            target = self.state.stack[-1 - cast(int, node.arg)]
            contents = self.state.contents(target)
            self.merged = cast(Ref, target) if contents is not None and contents.items else None

    def _settle(self, effect: Optional[Effect]) -> None:
        """A merged dict comes into being where it is complete: merging looks at its keys, so it cannot be put off."""
        ref, self.merged = self.merged, None
        if effect is None:
            for held in dict.fromkeys(self.state.locals.values()):
                contents = self.state.contents(held) if type(held) is Ref else None
                if contents is not None and not contents.exact() and held is not ref:
                    self._make(cast(Ref, held))
        if ref is None or self.state.contents(ref) is None:
            return
        if effect is not None:
            node = self.machine.nodes[self.state.node]
            if node.op == "CALL_FUNCTION_EX" and self.state.stack[-1] is ref:
                return
            into = effect.kind[0] == "MERGE" and self.state.stack[-1 - cast(int, node.arg)] is ref
            if into or any(
                ref in set(self.state.reach(operand)) for operand in effect.operands if type(operand) is Ref
            ):
                self.merged = ref if into else None
                return
        self._make(ref)

    def _make(self, ref: Ref) -> None:
        """A container comes into being here, under the name of a local that holds it."""
        contents = self.state.contents(ref)
        assert contents is not None
        symbol = self.flow.symbol(self.state.node, ("made", len(self.events)), contents.kind)
        name = _name_in(self.state, ref)
        if name is not None:
            self.flow.hints.setdefault(symbol, name)
        self.events.append(Made(symbol, show(self.state, ref)))
        self.state.heap[ref] = symbol

    def _raising(self, effect: Effect) -> Optional[Way]:
        """Where raising leads once cleanups that only raise again are passed; None where it leaves the frame."""
        passed, real = self._landing(effect.handler)
        if real is None:
            return None
        # Whatever raised: to the handler it is the exception that it handles.
        raised = self.flow.symbol(real.target, "raised")
        state = self.state.copy()
        partial = self.flow.symbol(state.node, "partial")
        for handler in passed:
            self.machine.enter_handler(state, effect._replace(handler=handler), raised, partial)
            effect = self.machine.advance(state)
        self.machine.enter_handler(state, effect._replace(handler=real), raised, partial)
        return Way(real.target, state)

    def _landing(self, handler: Optional[Handler]) -> Tuple[List[Handler], Optional[Handler]]:
        """Handlers that do nothing but move data and raise again, and the one that does more."""
        nodes = self.machine.nodes
        passed: List[Handler] = []
        while handler is not None and handler not in passed:
            number = handler.target
            if nodes[number].op == "STOPITERATION_ERROR":
                # The compiler wraps every generator in it.
                return passed, None
            seen: Set[int] = set()
            while nodes[number].op in _CLEANUP and number not in seen:
                seen.add(number)
                number = nodes[number].next[0]
            if nodes[number].op != "RERAISE":
                break
            passed.append(handler)
            handler = nodes[number].handler
        return passed, handler

    def _name_kept(self, effect: Effect) -> bool:
        """Containers that an operation hands out and that are needed again come into being under a name, inner ones
        first.
        """
        state = self.state
        counts: Dict[Ref, int] = {}
        for operand in effect.operands:
            for value in [operand] if type(operand) is not Ref else _walk(state, operand):
                if type(value) is Ref:
                    counts[value] = counts.get(value, 0) + 1
        if not counts:
            return False
        kept = self._reached_after(effect)
        named = [ref for ref, count in counts.items() if count > 1 or ref in kept]
        for ref in reversed(named):
            self._make(ref)
        return bool(named)

    def _reached_after(self, effect: Effect) -> Set[Ref]:
        reached: Set[Ref] = set()
        results = [Symbol() for _ in effect.results]
        ways = list(self._ways(effect, results))
        raising = self._raising(effect)
        if raising is not None:
            ways.append(raising)
        for way in ways:
            for value in self.flow.live_values(way):
                reached.update(way.state.reach(value))
        return reached

    def _note_dropped(self) -> None:
        self.events += [Dropped(value) for value in self.flow.take_dropped()]


_CLEANUP = frozenset(
    ["COPY", "SWAP", "POP_TOP", "LOAD_CONST", "STORE_FAST", "DELETE_FAST", "PUSH_EXC_INFO", "POP_EXCEPT"]
)


def entered_by(machine: Machine, exit_: Shown) -> Optional[int]:
    """The node of the BEFORE_WITH that made an exit function."""
    origin = exit_.origin if isinstance(exit_, Symbol) else None
    if type(origin) is tuple and origin[1] == 0 and machine.nodes[origin[0]].op == "BEFORE_WITH":
        return cast(int, origin[0])
    return None


def _walk(state: State, value: Value) -> Iterator[Ref]:
    """Containers in a value, as often as they occur."""
    pending = [value]
    while pending:
        item = pending.pop()
        contents = state.contents(item) if type(item) is Ref else None
        if contents is not None:
            yield item  # type: ignore[misc]
            pending.extend(reversed(list(contents.values())))


def _name_in(state: State, ref: Ref) -> Optional[str]:
    return next((name for name, value in state.locals.items() if value is ref), None)


def show(state: State, value: Value) -> Shown:
    """``value`` with the containers that only this frame holds spelt out."""
    value = state.resolve(value)
    contents = state.contents(value) if type(value) is Ref else None
    if contents is None:
        return value
    return contents.with_values(iter([show(state, item) for item in contents.values()]))  # type: ignore[misc]


def everything(state: State) -> Iterator[Value]:
    """All values that a frame holds, in locals that nobody reads as well."""
    pending: List[Value] = [*state.stack, *state.locals.values()]
    while pending:
        value = state.resolve(pending.pop())
        yield value
        contents = state.contents(value) if type(value) is Ref else None
        if contents is not None:
            pending.extend(contents.values())


def symbols_in(value: Shown) -> Iterator[Symbol]:
    """Symbols that a shown value needs, in order of evaluation."""
    if isinstance(value, Symbol):
        yield value
    elif isinstance(value, Container):
        for item in value.values():
            yield from symbols_in(item)
    elif isinstance(value, Term):
        for part in value.parts:
            if isinstance(part, (Symbol, Term)):
                yield from symbols_in(part)


def fingerprint(state: State, live: FrozenSet[str]) -> object:
    """A key that is equal for states that hold the same values in the same places."""
    numbers: Dict[Ref, object] = {}

    def key(value: Value) -> object:
        value = state.resolve(value)
        contents = state.contents(value) if type(value) is Ref else None
        if contents is None:
            return value
        if value not in numbers:
            numbers[value] = len(numbers)  # type: ignore[index]
            return (contents.kind, contents.shape(), tuple(key(item) for item in contents.values()))
        return ("again", numbers[value])  # type: ignore[index]

    places = tuple(key(value) for value in state.stack)
    names = tuple((name, key(state.locals[name])) for name in sorted(live) if name in state.locals)
    return places, names, state.handled
