"""Keep what is reached, numbered in order of discovery."""

from __future__ import annotations

from types import CodeType
from typing import Dict, List, Sequence

from depyf.decompiler.disassemble.graph import Graph, Node
from depyf.decompiler.disassemble.opcodes import MICRO_OPS


def prune(code: CodeType, nodes: Sequence[Node], entry: int) -> Graph:
    """The graph of the nodes that ``entry`` reaches; handlers count only for operations that can raise."""
    order: List[int] = []
    numbers: Dict[int, int] = {}
    pending = [entry]
    while pending:
        place = pending.pop()
        if place in numbers:
            continue
        numbers[place] = len(order)
        order.append(place)
        node = nodes[place]
        if node.handler is not None and MICRO_OPS[node.op].raises:
            pending.append(node.handler.target)
        pending += reversed(node.next)
    kept = []
    for place in order:
        node = nodes[place]
        handler = node.handler
        while handler is not None and handler.target not in numbers:
            # Nothing raises into it: what guards that handler guards this node.
            handler = nodes[handler.target].handler
        if handler is not None:
            handler = handler._replace(target=numbers[handler.target])
        kept.append(node._replace(next=tuple(numbers[target] for target in node.next), handler=handler))
    return Graph(code, tuple(kept), 0)
