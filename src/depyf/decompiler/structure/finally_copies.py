"""Take out the copies of cleanup code that the compiler puts on every way out of a protected region.

    try body -> copy of F -> after           try body -> after
    handler:  F; RERAISE                =>   handler:  F; RERAISE

F is the body of a ``finally``, or the unbinding of an ``except`` clause's name.  A copy is recognised by running it
in lock step with F: where F re-raises,
the copy goes on to what comes after the statement.
"""

from __future__ import annotations

from typing import Dict, Iterator, List, Optional, Sequence, Set, Tuple

from depyf.decompiler.disassemble.graph import Graph, Handler, Node
from depyf.decompiler.disassemble.opcodes import MICRO_OPS
from depyf.decompiler.disassemble.prune import prune
from depyf.decompiler.disassemble.stack import EXCEPTION, VALUE, Stack, entry_stacks
from depyf.decompiler.lift.copies import bisimulation_classes
from depyf.decompiler.refusals import FINALLY_COPY, Refused
from depyf.decompiler.structure.handlers import HANDLER_FRONTS, IN_VAIN, Purpose, purposes
from depyf.decompiler.versions import FINALLY_IS_A_SUBROUTINE, HANDLER_PUSHES_SIX

# Operands of the POP_EXCEPT that a named clause is left by until 3.8: falling out and jumping look different.
FALLS_OUT = "falls out"
JUMPS = "jumps"
# What lies on the stack because of a clause when it binds its name.
_CLAUSE_SLOTS = 5 if HANDLER_PUSHES_SIX else 2
_UNWINDING = frozenset(["SWAP", "POP_TOP", "POP_EXCEPT"])


def drop_finally_copies(graph: Graph, apart: bool = False) -> Graph:
    """``graph`` with every way out of a region leading straight to what follows the statement.

    Where the ``finally`` body never completes nothing does: all ways then lead to one end, or, ``apart``, each to its
    own.
    """
    if not any(node.handler is not None for node in graph.nodes):
        return graph
    stacks = entry_stacks(graph)
    found = purposes(graph, stacks)
    handlers = [target for target, purpose in found.items() if purpose in (Purpose.FINALLY, Purpose.NAME)]
    nodes = list(graph.nodes)
    chains = _chains(nodes)
    classes = bisimulation_classes(nodes, by_position=False) if handlers else []
    # Inner statements first, and those that come later: their copies lie inside of the regions of outer ones, or inside
    # of copies that come behind these regions.
    pending = sorted(handlers, key=lambda target: (-chains.first_guarded(target), -len(chains(target))))
    while pending:
        postponed: List[int] = []
        for handler in pending:
            try:
                _drop_copies(nodes, stacks, classes, chains, handler, found[handler], apart)
            except Refused as refused:
                postponed.append(handler)
                failure = refused
        if len(postponed) == len(pending):
            raise failure
        pending = postponed
    named = {target for target in handlers if found[target] is Purpose.NAME}
    _drop_unguarded_unbinding(nodes, stacks, named, chains)
    _guard_dropped_values(nodes, stacks)
    return prune(graph.code, nodes, graph.entry)


def _guard_dropped_values(nodes: List[Node], stacks: Sequence[Stack]) -> None:
    """Let POP_TOP belong to the statement whose value it drops.

    A ``finally`` that jumps drops what ``return`` has computed inside of the ``try``.
    """
    guarded: Dict[int, Set[Optional[Handler]]] = {}
    for node in nodes:
        for target in node.next:
            if nodes[target].op == "POP_TOP" and stacks[target].peek() == VALUE:
                guarded.setdefault(target, set()).add(node.handler)
    for number, handlers in guarded.items():
        handler = next(iter(handlers))
        if len(handlers) == 1 and handler is not None and stacks[number].depth > handler.depth:
            nodes[number] = nodes[number]._replace(handler=handler)


def _drop_unguarded_unbinding(nodes: List[Node], stacks: Sequence[Stack], named: Set[int], chains: _chains) -> None:
    """Drop the unbinding of clause names whose body no exception leaves; handlers that unbind are ``named``."""
    for number, node in enumerate(nodes):
        if not node.op.startswith("STORE_") or not stacks[number].depth or stacks[number].peek() != EXCEPTION:
            continue
        if any(handler in named for handler in chains(node.next[0]) if handler not in chains(number)):
            continue
        left = stacks[number].depth - _CLAUSE_SLOTS
        seen = {number}
        pending = [node.next[0]]
        while pending:
            place = pending.pop()
            if place in seen or stacks[place].depth <= left:
                continue
            seen.add(place)
            handler = nodes[place].handler
            if handler is not None and MICRO_OPS[nodes[place].op].raises:
                pending.append(handler.target)
            pending += [way for way in nodes[place].next if not _drop_unbinding(nodes, place, way, node)]


def _drop_unbinding(nodes: List[Node], place: int, start: int, binding: Node) -> bool:
    """Let ``place`` lead behind what starts at ``start`` if that unbinds a name on the way out of its clause."""
    trail = [start]
    while len(trail) < 4 and len(nodes[trail[-1]].next) == 1:
        trail.append(nodes[trail[-1]].next[0])
    if len(trail) < 4 or not _unbinds([nodes[number] for number in trail], binding):
        return False
    jumps = nodes[place].op == "POP_EXCEPT"
    if not jumps and nodes[trail[3]].op not in _UNWINDING:
        return False
    nodes[place] = nodes[place]._replace(next=tuple(trail[3] if way == start else way for way in nodes[place].next))
    if FINALLY_IS_A_SUBROUTINE:
        _tell_how_it_leaves(nodes, place if jumps else trail[3], JUMPS if jumps else FALLS_OUT)
    return True


def _unbinds(trail: Sequence[Node], binding: Node) -> bool:
    if len(trail) < 3 or trail[0].op != "LOAD_CONST" or trail[2].op != binding.op.replace("STORE", "DELETE"):
        return False
    return trail[1].op == binding.op and trail[1].arg == trail[2].arg == binding.arg


def _tell_how_it_leaves(nodes: List[Node], number: int, way: str) -> None:
    """Mark the POP_EXCEPT that a named clause is left by."""
    while nodes[number].op == "SWAP":
        number = nodes[number].next[0]
    if nodes[number].op == "POP_EXCEPT":
        nodes[number] = nodes[number]._replace(arg=way)


def _leads_nowhere(nodes: Sequence[Node], number: int) -> bool:
    """Whether no ``finally`` body runs from here on: an endless loop without effects, or the end of a body that never
    completes.
    """
    node = nodes[number]
    return node.arg == IN_VAIN or node.op == "UNREACHABLE" or (node.op == "NOP" and node.next == (number,))


class _chains:  # noqa: N801
    """Handlers that guard a node, innermost first: that of the node, that of this handler's first node, and so on."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        self.nodes = nodes
        self.known: Dict[int, Tuple[int, ...]] = {}
        self._guarded: Dict[int, List[int]] = {}
        self._counted = 0

    def guarded(self, handler: int) -> Iterator[int]:
        """The nodes that a handler guards, those included that are added meanwhile."""
        found = self._guarded.setdefault(handler, [])
        index = 0
        while True:
            while self._counted < len(self.nodes):
                for outer in self(self._counted):
                    self._guarded.setdefault(outer, []).append(self._counted)
                self._counted += 1
            if index == len(found):
                return
            yield found[index]
            index += 1

    def first_guarded(self, handler: int) -> int:
        """The node that a handler guards which is discovered first."""
        return next(self.guarded(handler))

    def __call__(self, number: int) -> Tuple[int, ...]:
        trail: List[int] = []
        place: Optional[int] = number
        while place is not None and place not in self.known and place not in trail:
            trail.append(place)
            handler = self.nodes[place].handler
            place = None if handler is None else handler.target
        for step in reversed(trail):
            handler = self.nodes[step].handler
            self.known[step] = () if handler is None else (handler.target, *self.known.get(handler.target, ()))
        return self.known[number]


def _drop_copies(
    nodes: List[Node],
    stacks: List[Stack],
    classes: List[int],
    chains: _chains,
    handler: int,
    purpose: Purpose,
    apart: bool,
) -> None:
    start = nodes[handler].next[0] if nodes[handler].op in HANDLER_FRONTS else handler
    guarding = (nodes[number].handler for number in chains.guarded(handler))
    guard = next((one for one in guarding if one is not None and one.target == handler), None)
    matcher = _Matcher(nodes, stacks, classes, start, purpose, guard, apart)
    led: Dict[int, Tuple[int, ...]] = {}
    for number in chains.guarded(handler):
        following = nodes[number].next
        targets = tuple(target if handler in chains(target) else matcher.continuation(target) for target in following)
        if targets != following:
            led[number] = targets
    for number, targets in led.items():
        nodes[number] = nodes[number]._replace(next=targets)


class _Matcher:
    """Finds what a copy of the cleanup code that starts at ``start`` goes on to; ``guard`` leads to that code."""

    def __init__(
        self,
        nodes: List[Node],
        stacks: List[Stack],
        classes: List[int],
        start: int,
        purpose: Purpose,
        guard: Optional[Handler],
        apart: bool,
    ) -> None:
        self.nodes = nodes
        self.stacks = stacks
        self.classes = classes
        self.start = start
        self.base = stacks[start].depth
        self.purpose = purpose
        self.guard = guard
        self.apart = apart
        self.known: Dict[int, int] = {}

    def continuation(self, copy: int) -> int:
        if copy not in self.known and _leads_nowhere(self.nodes, copy):
            self.known[copy] = self._stay(copy)
        if copy not in self.known:
            first = self._leave_clause(copy) if self.purpose is Purpose.NAME else self._drop_placeholder(copy)
            ends = self._run(first[-1]) or self._run(first[-1], even_raising=True)
            end = self._only(ends, copy) if ends else self._nowhere(copy)
            self.known[copy] = self._keep_unwinding(first[:-1], end)
            if self.apart and not ends:
                return self.known.pop(copy)
            if FINALLY_IS_A_SUBROUTINE and self.purpose is Purpose.NAME:
                _tell_how_it_leaves(self.nodes, self.known[copy], FALLS_OUT if len(first) == 1 else JUMPS)
        return self.known[copy]

    def _leave_clause(self, copy: int) -> List[int]:
        """The nodes that restore the exception state, which come before the name is unbound, and the first node after
        them.
        """
        trail = [copy]
        while self.nodes[trail[-1]].op in _UNWINDING:
            trail.append(self.nodes[trail[-1]].next[0])
        return trail

    def _drop_placeholder(self, copy: int) -> List[int]:
        """The nodes that drop the None below a value that is to be returned, until 3.8, and the first node after
        them.
        """
        trail = [copy]
        if FINALLY_IS_A_SUBROUTINE and self.nodes[copy].op == "SWAP" != self.nodes[self.start].op:
            trail.append(self.nodes[copy].next[0])
            if self.nodes[trail[-1]].op == "POP_TOP":
                return [*trail, self.nodes[trail[-1]].next[0]]
        return [copy]

    def _keep_unwinding(self, trail: List[int], end: int) -> int:
        for number in reversed(trail):
            end = self._add(self.nodes[number]._replace(next=(end,)), number)
        return end

    def _nowhere(self, copy: int) -> int:
        """What follows a body that is always left by a jump of its own: a value that waits is returned, in vain."""
        kept = self.guard.depth if self.guard is not None else self.base
        way = JUMPS if self.apart else FALLS_OUT
        node = self.nodes[copy]._replace(op="UNREACHABLE", arg=way, next=(), handler=self.guard)
        if self.stacks[copy].depth > kept:
            node = node._replace(op="RETURN_VALUE", arg=IN_VAIN, handler=None)
        return self._add(node, copy)

    def _stay(self, copy: int) -> int:
        """The end of all control belongs to the body that leads there."""
        node = self.nodes[copy]._replace(handler=self.guard)
        return self._add(node._replace(next=(len(self.nodes),)) if node.next else node, copy)

    def _add(self, node: Node, like: int) -> int:
        self.nodes.append(node)
        self.stacks.append(self.stacks[like])
        self.classes.append(-len(self.nodes))
        return len(self.nodes) - 1

    def _run(self, copy: int, even_raising: bool = False) -> Set[int]:
        """Where a copy is left to; ``even_raising`` follows exceptions into statements of the body that end them."""
        ends: Set[int] = set()
        seen = {(self.start, copy)}
        pending = [(self.start, copy)]
        while pending:
            original, other = pending.pop()
            one, two = self.nodes[original], self.nodes[other]
            if one.op == "RERAISE" and self.stacks[original].depth == self.base:
                ends.add(other)
                continue
            if _leads_nowhere(self.nodes, original) or _leads_nowhere(self.nodes, other):
                continue
            if one.op in _UNWINDING and (one.op, one.arg) != (two.op, two.arg):
                pairs = [(one.next[0], other)]
            elif (one.op, one.arg, len(one.next)) == (two.op, two.arg, len(two.next)):
                pairs = list(zip(one.next, two.next))
            else:
                raise Refused(
                    FINALLY_COPY, f"{two.op} where the finally body has {one.op}", where=f"offset {two.offset}"
                )
            if even_raising and one.handler and two.handler and one.handler.depth >= self.base:
                pairs.append((one.handler.target, two.handler.target))
            for pair in pairs:
                if pair not in seen:
                    seen.add(pair)
                    pending.append(pair)
        return ends

    def _only(self, ends: Set[int], copy: int) -> int:
        if len({self.classes[end] for end in ends}) > 1:
            raise Refused(
                FINALLY_COPY,
                "a copy of the finally body goes on in several ways",
                where=f"offset {self.nodes[copy].offset}",
            )
        return min(ends)
