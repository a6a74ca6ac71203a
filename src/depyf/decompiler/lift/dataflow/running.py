"""One run through one block: the events on the way, named values, and the states in which it is left."""

from __future__ import annotations

from typing import TYPE_CHECKING, Dict, Iterator, List, Optional, Sequence, Set, Tuple, cast

from depyf.decompiler.disassemble.graph import Handler
from depyf.decompiler.lift.dataflow.events import Block, Dropped, Event, Made, Operation, Way
from depyf.decompiler.lift.dataflow.shown import Shown, show
from depyf.decompiler.refusals import TOO_LONG, Refused
from depyf.decompiler.symbolic import OPERATIONS, Machine
from depyf.decompiler.symbolic.effects import Effect
from depyf.decompiler.symbolic.state import State
from depyf.decompiler.symbolic.values import NONE, Ref, Symbol, Value

if TYPE_CHECKING:
    from depyf.decompiler.lift.dataflow.flow import Flow

_EVENTS_PER_NODE = 8
# What a handler does that only lets go of things and raises again.
_CLEANUP = frozenset(
    ["COPY", "SWAP", "POP_TOP", "LOAD_CONST", "STORE_FAST", "DELETE_FAST", "PUSH_EXC_INFO", "POP_EXCEPT"]
)


class Run:
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
