"""The ends that no statement stands for: where code runs off its end, the compiler returns None.

    if a: b()                2 CALL; POP_TOP; LOAD_CONST None; RETURN_VALUE
    else: c()      <=        3 CALL; POP_TOP; LOAD_CONST None; RETURN_VALUE

Each way has a copy of that end, as if ``return`` had been written there; positions tell.
"""

from __future__ import annotations

from typing import List, Sequence

from depyf.decompiler.disassemble.constants import Const
from depyf.decompiler.disassemble.graph import Graph, Node

CO_OPTIMIZED = 0x1
# What a ``return`` in loops and handlers does first, at its own position.
_UNWINDING = frozenset(["POP_TOP", "POP_EXCEPT"])


def unwritten_ends(graph: Graph) -> List[bool]:
    """Of each node, whether it belongs to an end that no statement stands for, as far as that is known."""
    return (_ends_of_function if graph.code.co_flags & CO_OPTIMIZED else _ends_of_module)(graph.nodes)


def _ends_of_module(nodes: Sequence[Node]) -> List[bool]:
    """Whether nodes belong to the end of a module or class, which is one place: neither can return in the middle."""
    return [
        node.op == "RETURN_VALUE" or (len(node.next) == 1 and nodes[node.next[0]].op == "RETURN_VALUE")
        for node in nodes
    ]


def _ends_of_function(nodes: Sequence[Node]) -> List[bool]:
    """Whether nodes belong to the ``return None`` that no statement stands for, where a function runs off its end.

    Copies of it, and of what restores the exception state before it, have the position of what is in front of them
    (Python/flowgraph.c, propagate_line_numbers).
    """
    found = [False] * len(nodes)
    for number, node in enumerate(nodes):
        if _is_none(node) and node.position.width == len("break"):
            end = [number]  # a `break` that leads to the end; `return` is longer, the `None` behind it shorter
        else:
            end = _end_behind(number, nodes) if _tells(node) else []
        if end:
            last = nodes[end[-1]].next[0]
            if nodes[last].op == "RETURN_VALUE" and nodes[last].position == nodes[end[-1]].position:
                for place in (*end, last):
                    found[place] = True
    return found


def _tells(node: Node) -> bool:
    """Whether the position of a node can be that of the end behind it.

    A line alone does not tell ``if a: return`` from the end behind ``if a: ...``.  A ``return`` in a clause deletes the
    name of the exception first, at its own position.
    """
    is_known = node.position.column is not None or (node.position.line is not None and node.op != "BRANCH")
    return is_known and node.op not in _UNWINDING and not node.op.startswith("DELETE_")


def _end_behind(number: int, nodes: Sequence[Node]) -> List[int]:
    """What a node leads to within its own position, from restoring the exception state to ``None``; nothing if that
    is elsewhere.
    """
    position = nodes[number].position
    for place in nodes[number].next:
        end = []
        before = number
        while place != before and nodes[place].position == position:
            before = place
            if nodes[place].op in _UNWINDING:
                end += [place] if nodes[place].op == "POP_EXCEPT" else []
                place = nodes[place].next[0]
            else:
                place = _behind_unbinding(place, nodes)
        if _is_none(nodes[place]) and nodes[place].position == position:
            return [*end, place]
    return []


def _behind_unbinding(place: int, nodes: Sequence[Node]) -> int:
    """The node behind ``error = None; del error``, the end of ``except E as error``; ``place`` if it is none."""
    trail = [nodes[place]]
    while len(trail) < 3 and len(trail[-1].next) == 1:
        trail.append(nodes[trail[-1].next[0]])
    is_unbinding = len(trail) == 3 and trail[1].op.startswith("STORE_") and unbinds(trail, trail[1])
    return trail[2].next[0] if is_unbinding and trail[2].position == trail[0].position else place


def unbinds(trail: Sequence[Node], binding: Node) -> bool:
    """Whether nodes that follow each other begin with ``error = None; del error``, where ``binding`` stored it."""
    if len(trail) < 3 or trail[0].op != "LOAD_CONST" or trail[2].op != binding.op.replace("STORE", "DELETE"):
        return False
    return trail[1].op == binding.op and trail[1].arg == trail[2].arg == binding.arg


def _is_none(node: Node) -> bool:
    return node.op == "LOAD_CONST" and isinstance(node.arg, Const) and node.arg.value is None
