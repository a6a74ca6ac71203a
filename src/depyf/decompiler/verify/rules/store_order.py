"""Rule for the order of stores: what matters is which slot ends in which variable.

SWAP 2; STORE_FAST a; STORE_FAST b    ==    STORE_FAST b; STORE_FAST a
"""

from __future__ import annotations

from typing import Dict, List, Optional, Set, Tuple

from depyf.decompiler.disassemble.graph import Graph
from depyf.decompiler.verify.checks import STORES
from depyf.decompiler.verify.rules.rule import as_effect, rule, with_nodes

_MOVES = frozenset(["SWAP", "STORE_FAST", "POP_TOP"])


def _is_run_start(graph: Graph) -> List[bool]:
    """Which nodes move slots and are reached from elsewhere than from one node that moves slots."""
    nodes = graph.nodes
    sources: List[Set[int]] = [set() for _ in nodes]
    sources[graph.entry].add(-1)
    for number, node in enumerate(nodes):
        source = number if node.op in _MOVES else -1
        for target in node.next:
            sources[target].add(source)
        if node.handler is not None:
            sources[node.handler.target].add(-1)
    return [node.op in _MOVES and (len(found) != 1 or -1 in found) for node, found in zip(nodes, sources)]


def _run(graph: Graph, start: int) -> Tuple[List[int], int]:
    """The nodes that move slots from ``start`` on, and the node after them."""
    run: List[int] = []
    seen: Set[int] = set()
    number = start
    while graph.nodes[number].op in _MOVES and number not in seen:
        seen.add(number)
        run.append(number)
        number = graph.nodes[number].next[0]
    return run, number


def _summary(graph: Graph, run: List[int]) -> Optional[object]:
    """What a run does with the slots it finds, numbered from the top; None if it stores a variable twice."""
    slots: List[int] = []
    reached = 0
    stored: Dict[str, int] = {}
    dropped: Set[int] = set()
    for number in run:
        op, arg = graph.nodes[number].op, graph.nodes[number].arg
        needed = arg if op == "SWAP" and isinstance(arg, int) else 1
        while len(slots) < needed:
            slots.append(reached)
            reached += 1
        if op == "SWAP":
            slots[0], slots[needed - 1] = slots[needed - 1], slots[0]
        elif op == "POP_TOP":
            dropped.add(slots.pop(0))
        elif arg in stored:
            return None
        else:
            stored[str(arg)] = slots.pop(0)
    while slots and slots[-1] == reached - 1:
        slots.pop()
        reached -= 1
    return frozenset(stored.items()), frozenset(dropped), tuple(slots), reached


@rule(
    "order of stores",
    "SWAP 2; STORE_FAST a; STORE_FAST b  ==  STORE_FAST b; STORE_FAST a",
    safe="storing a local and dropping a slot cannot raise, the variables are distinct, nothing runs in between but "
    "finalizers of old values, whose order is outside the promise; the compiler itself exchanges them if they share a "
    "line (Python/flowgraph.c, apply_static_swaps)",
    applies=lambda graph: any(node.op == "SWAP" for node in graph.nodes),
)
def order_of_stores(graph: Graph) -> Graph:
    """Make one operation of every run of moves: the set of its stores and what is left on the stack."""
    nodes = list(graph.nodes)
    for start, starts in enumerate(_is_run_start(graph)):
        if starts:
            run, after = _run(graph, start)
            summary = _summary(graph, run)
            if summary is not None:
                nodes[start] = as_effect(nodes[start], STORES, summary, after)
    return with_nodes(graph, nodes)
