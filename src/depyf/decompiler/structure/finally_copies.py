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
from depyf.decompiler.disassemble.prune import prune
from depyf.decompiler.disassemble.stack import EXCEPTION, VALUE, Stack, entry_stacks
from depyf.decompiler.lift.copies import bisimulation_classes
from depyf.decompiler.refusals import FINALLY_COPY, Refused
from depyf.decompiler.structure.handlers import HANDLER_FRONTS, Purpose, purposes
from depyf.decompiler.versions import FINALLY_IS_A_SUBROUTINE, HANDLER_PUSHES_SIX

# Operands of the POP_EXCEPT that a named clause is left by until 3.8: falling out and jumping look different.
FALLS_OUT = "falls out"
JUMPS = "jumps"
# What lies on the stack because of a clause when it binds its name.
_CLAUSE_SLOTS = 5 if HANDLER_PUSHES_SIX else 2
_UNWINDING = frozenset(["SWAP", "POP_TOP", "POP_EXCEPT"])


def drop_finally_copies(graph: Graph) -> Graph:
    """``graph`` with every way out of a region leading straight to what follows the statement."""
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
                _drop_copies(nodes, stacks, classes, chains, handler, found[handler])
            except Refused as refused:
                postponed.append(handler)
                failure = refused
        if len(postponed) == len(pending):
            raise failure
        pending = postponed
    _drop_unguarded_unbinding(nodes, stacks)
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


def _drop_unguarded_unbinding(nodes: List[Node], stacks: Sequence[Stack]) -> None:
    """Drop the unbinding of clause names whose body cannot raise, which therefore no handler guards."""
    for number, node in enumerate(nodes):
        if not node.op.startswith("STORE_") or not stacks[number].depth or stacks[number].peek() != EXCEPTION:
            continue
        place = node.next[0]
        left = stacks[number].depth - _CLAUSE_SLOTS
        seen = {number}
        while len(nodes[place].next) == 1 and place not in seen and stacks[place].depth > left:
            seen.add(place)
            following = nodes[place].next[0]
            trail = [nodes[following]]
            while len(trail) < 3 and len(trail[-1].next) == 1:
                trail.append(nodes[trail[-1].next[0]])
            if _unbinds(trail, node):
                nodes[place] = nodes[place]._replace(next=trail[-1].next)
                if FINALLY_IS_A_SUBROUTINE:
                    jumps = nodes[place].op == "POP_EXCEPT"
                    _tell_how_it_leaves(nodes, place if jumps else trail[-1].next[0], JUMPS if jumps else FALLS_OUT)
                break
            place = following


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
    nodes: List[Node], stacks: List[Stack], classes: List[int], chains: _chains, handler: int, purpose: Purpose
) -> None:
    start = nodes[handler].next[0] if nodes[handler].op in HANDLER_FRONTS else handler
    guarding = (nodes[number].handler for number in chains.guarded(handler))
    kept = next((one.depth for one in guarding if one is not None and one.target == handler), stacks[handler].depth)
    matcher = _Matcher(nodes, stacks, classes, start, purpose, kept)
    led: Dict[int, Tuple[int, ...]] = {}
    for number in chains.guarded(handler):
        following = nodes[number].next
        targets = tuple(target if handler in chains(target) else matcher.continuation(target) for target in following)
        if targets != following:
            led[number] = targets
    for number, targets in led.items():
        nodes[number] = nodes[number]._replace(next=targets)


class _Matcher:
    """Finds what a copy of the cleanup code that starts at ``start`` goes on to; its handler keeps ``kept`` slots."""

    def __init__(
        self, nodes: List[Node], stacks: List[Stack], classes: List[int], start: int, purpose: Purpose, kept: int
    ) -> None:
        self.nodes = nodes
        self.stacks = stacks
        self.classes = classes
        self.start = start
        self.base = stacks[start].depth
        self.purpose = purpose
        self.kept = kept
        self.known: Dict[int, int] = {}

    def continuation(self, copy: int) -> int:
        if copy not in self.known:
            first = self._leave_clause(copy) if self.purpose is Purpose.NAME else self._drop_placeholder(copy)
            ends = self._run(first[-1])
            end = self._only(ends, copy) if ends else self._nowhere(copy)
            self.known[copy] = self._keep_unwinding(first[:-1], end)
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
        op = "RETURN_VALUE" if self.stacks[copy].depth > self.kept else "UNREACHABLE"
        return self._add(self.nodes[copy]._replace(op=op, arg=None, next=(), handler=None), copy)

    def _add(self, node: Node, like: int) -> int:
        self.nodes.append(node)
        self.stacks.append(self.stacks[like])
        self.classes.append(-len(self.nodes))
        return len(self.nodes) - 1

    def _run(self, copy: int) -> Set[int]:
        ends: Set[int] = set()
        seen = {(self.start, copy)}
        pending = [(self.start, copy)]
        while pending:
            original, other = pending.pop()
            one, two = self.nodes[original], self.nodes[other]
            if "UNREACHABLE" in (one.op, two.op):
                continue
            if one.op == "RERAISE" and self.stacks[original].depth == self.base:
                ends.add(other)
                continue
            if one.op in _UNWINDING and (one.op, one.arg) != (two.op, two.arg):
                pairs = [(one.next[0], other)]
            elif (one.op, one.arg, len(one.next)) == (two.op, two.arg, len(two.next)):
                pairs = list(zip(one.next, two.next))
            else:
                raise Refused(
                    FINALLY_COPY, f"{two.op} where the finally body has {one.op}", where=f"offset {two.offset}"
                )
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
