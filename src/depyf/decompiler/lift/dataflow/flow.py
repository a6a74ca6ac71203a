"""Effect graph to blocks of operations on named values: data movement is gone, what paths disagree on is a Phi.

    LOAD_FAST a; BUILD_LIST 1; COPY 1; LOAD_CONST 0;          b0: s1 = BINARY_OP + (a, 1)
    BINARY_SUBSCR; LOAD_CONST 1; BINARY_OP +; ...       =>        goto b7
    7 FOR_ITER ...                                            b7: for s2 in s1: b8, else b20

A symbol is named for the operation that makes it, so that running a block again names the same values the same way; a
Phi is named for the place at which paths meet.  Blocks are run until the states at which they start no longer change.
"""

from __future__ import annotations

from typing import Dict, Iterator, List, Optional, Set, Tuple

from depyf.decompiler.disassemble.graph import Graph
from depyf.decompiler.lift.dataflow.events import Block, Phi, Way, raising, used, ways_of
from depyf.decompiler.lift.dataflow.running import Run
from depyf.decompiler.lift.dataflow.shown import Shown, everything, fingerprint, show
from depyf.decompiler.refusals import TOO_LONG, Refused
from depyf.decompiler.symbolic import Machine
from depyf.decompiler.symbolic.joins import Join
from depyf.decompiler.symbolic.liveness import Liveness
from depyf.decompiler.symbolic.machine import Listener, parameters
from depyf.decompiler.symbolic.state import State
from depyf.decompiler.symbolic.values import UNBOUND, MaybeUnbound, Ref, Symbol, Term, Value

_RUNS_PER_BLOCK = 40


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
            block = Run(self, number, self.entries[number].copy()).block
            self.blocks[number] = block
            for key, way in ways_of(block):
                self._ways_in.setdefault(way.target, {})[(number, key)] = way.state
                if way.target not in pending:
                    pending.append(way.target)
        self._prune()
        self.handlers = {event.raising.target for block in self.blocks.values() for event in raising(block)}  # type: ignore[union-attr]
        self.used_exceptions = {symbol for block in self.blocks.values() for symbol in used(block)}

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
                pending += [way.target for _, way in ways_of(self.blocks[number])]
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
