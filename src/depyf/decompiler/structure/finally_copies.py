"""Take out the copies of cleanup code that the compiler puts on every way out of a protected region.

    try body -> copy of F -> after           try body -> after
    handler:  F; RERAISE                =>   handler:  F; RERAISE

F is the body of a ``finally``, or the unbinding of an ``except`` clause's name.  A copy is recognised by running it
in lock step with F: where F re-raises,
the copy goes on to what comes after the statement.
"""

from __future__ import annotations

from typing import Dict, List, Optional, Sequence, Set, Tuple

from depyf.decompiler.disassemble.graph import Graph, Handler, Node
from depyf.decompiler.disassemble.opcodes import MICRO_OPS
from depyf.decompiler.disassemble.prune import prune
from depyf.decompiler.disassemble.stack import VALUE, Stack, entry_stacks
from depyf.decompiler.lift.copies import bisimulation_classes
from depyf.decompiler.refusals import FINALLY_COPY, Refused
from depyf.decompiler.structure.chains import Chains
from depyf.decompiler.structure.handlers import HANDLER_FRONTS, IN_VAIN, Purpose, purposes
from depyf.decompiler.structure.unbinding import (
    FALLS_OUT,
    JUMPS,
    UNWINDING,
    drop_unguarded_unbinding,
    tell_how_it_leaves,
)
from depyf.decompiler.versions import FINALLY_IS_A_SUBROUTINE


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
    chains = Chains(nodes)
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
    drop_unguarded_unbinding(nodes, stacks, named, chains)
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


def _leads_nowhere(nodes: Sequence[Node], number: int) -> bool:
    """Whether no ``finally`` body runs from here on: an endless loop without effects, or the end of a body that never
    completes.
    """
    node = nodes[number]
    return node.arg == IN_VAIN or node.op == "UNREACHABLE" or (node.op == "NOP" and node.next == (number,))


def _raises_on(nodes: Sequence[Node], number: int) -> bool:
    """Whether the exception state is restored and the exception raised on: statements share that, and none ends so."""
    place = nodes[number].next[0] if nodes[number].op == "POP_EXCEPT" else number
    return nodes[place].op == "RERAISE" and nodes[place].arg == 1


def _drop_copies(
    nodes: List[Node],
    stacks: List[Stack],
    classes: List[int],
    chains: Chains,
    handler: int,
    purpose: Purpose,
    apart: bool,
) -> None:
    start = nodes[handler].next[0] if nodes[handler].op in HANDLER_FRONTS else handler
    guarding = (nodes[number].handler for number in chains.guarded(handler))
    guard = next((one for one in guarding if one is not None and one.target == handler), None)
    matcher = _Matcher(nodes, stacks, classes, start, purpose, guard, apart)

    def way_out(target: int) -> int:
        if handler in chains(target) or _raises_on(nodes, target):
            return target
        end = matcher.continuation(target)
        starts_again = handler in chains(end) and not _leads_nowhere(nodes, end)
        return matcher.loop_to(end, target) if starts_again else end

    led: Dict[int, Tuple[int, ...]] = {}
    for number in chains.guarded(handler):
        following = nodes[number].next
        targets = tuple(way_out(target) for target in following)
        if targets != following:
            led[number] = targets
    for number, targets in led.items():
        nodes[number] = nodes[number]._replace(next=targets)
    if purpose is Purpose.FINALLY:
        _join_ends(nodes, stacks, start)


def _join_ends(nodes: List[Node], stacks: Sequence[Stack], start: int) -> None:
    """Let the body of a ``finally`` end in one place: the compiler copies the re-raise to the ends of its branches."""
    base = stacks[start].depth
    end: Optional[int] = None
    seen = {start}
    pending = [start]
    while pending:
        number = pending.pop()
        node = nodes[number]
        targets = list(node.next)
        for way, target in enumerate(targets):
            if nodes[target].op == "RERAISE" and stacks[target].depth == base:
                end = target if end is None else end
                targets[way] = end
        nodes[number] = node._replace(next=tuple(targets))
        if node.handler is not None and MICRO_OPS[node.op].raises and node.handler.depth >= base:
            targets.append(node.handler.target)
        for target in targets:
            if target not in seen and stacks[target].depth >= base:
                seen.add(target)
                pending.append(target)


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
        self.kept = guard.depth if guard is not None else self.base
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
            if (self.apart and not ends) or self.nodes[end].arg == IN_VAIN:
                return self.known.pop(copy)  # each value is one of its own
            if FINALLY_IS_A_SUBROUTINE and self.purpose is Purpose.NAME:
                tell_how_it_leaves(self.nodes, self.known[copy], FALLS_OUT if len(first) == 1 else JUMPS)
        return self.known[copy]

    def loop_to(self, start: int, copy: int) -> int:
        """A way from behind the statement to its start, which a loop around it takes."""
        if self.known[copy] == start:
            node = self.nodes[copy]._replace(op="NOP", arg=None, next=(start,))
            self.known[copy] = self._add(node, start)
        return self.known[copy]

    def _leave_clause(self, copy: int) -> List[int]:
        """The nodes that restore the exception state, which come before the name is unbound, and the first node after
        them.
        """
        trail = [copy]
        while self.nodes[trail[-1]].op in UNWINDING:
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
        way = JUMPS if self.apart else FALLS_OUT
        node = self.nodes[copy]._replace(op="UNREACHABLE", arg=way, next=(), handler=self.guard)
        if self.stacks[copy].depth > self.kept:
            node = node._replace(op="RETURN_VALUE", arg=IN_VAIN, handler=None)
        return self._add(node, copy)

    def _stay(self, copy: int) -> int:
        """The end of all control belongs to the body that leads there."""
        if self.stacks[copy].depth > self.kept and self.stacks[copy].peek() == VALUE:
            return self._nowhere(copy)
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
            if one.op in UNWINDING and (one.op, one.arg) != (two.op, two.arg):
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
