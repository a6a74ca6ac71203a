"""Which locals a frame can still read, before every node: what a join of paths has to agree on."""

from __future__ import annotations

from typing import Dict, FrozenSet, List, Tuple

from depyf.decompiler.disassemble.graph import Graph
from depyf.decompiler.disassemble.opcodes import MICRO_OPS

_READS = frozenset(["LOAD_FAST", "DELETE_FAST", "LOAD_FAST_AND_CLEAR"])


class Liveness:
    """Live locals of one graph; sets of names are kept as bits of an integer."""

    def __init__(self, graph: Graph, always: Tuple[str, ...] = ()) -> None:
        self._bits: Dict[object, int] = {}
        self._names: Dict[int, FrozenSet[str]] = {}
        fixed = 0
        for name in always:
            fixed |= self._bit(name)
        self._live = self._solve(graph, fixed)

    def before(self, node: int) -> FrozenSet[str]:
        """Names of the locals that are live before ``node``."""
        bits = self._live[node]
        names = self._names.get(bits)
        if names is None:
            names = self._names[bits] = frozenset(name for name, bit in self._bits.items() if bits & bit)  # type: ignore[misc]
        return names

    def _bit(self, name: object) -> int:
        return self._bits.setdefault(name, 1 << len(self._bits))

    def _solve(self, graph: Graph, fixed: int) -> List[int]:
        live = [fixed] * len(graph.nodes)
        steps = []
        for number, node in enumerate(graph.nodes):
            after = node.next
            if node.handler is not None and MICRO_OPS[node.op].raises:
                after = (*after, node.handler.target)
            reads = self._bit(node.arg) if node.op in _READS else 0
            writes = self._bit(node.arg) if node.op == "STORE_FAST" else 0
            steps.append((number, after, reads, ~writes))
        steps.reverse()
        changed = True
        while changed:
            changed = False
            for number, after, reads, kept in steps:
                bits = fixed
                for target in after:
                    bits |= live[target]
                bits = (bits & kept) | reads | fixed
                if bits != live[number]:
                    live[number] = bits
                    changed = True
        return live
