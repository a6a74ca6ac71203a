"""Which handlers guard a node: that of the node, and those of handlers."""

from __future__ import annotations

from typing import Dict, Iterator, List, Optional, Sequence, Tuple

from depyf.decompiler.disassemble.graph import Node


class Chains:
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
