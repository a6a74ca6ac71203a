"""Rule for the order of stores: what matters is which slot ends in which variable.

SWAP 2; STORE_FAST a; STORE_FAST b    ==    STORE_FAST b; STORE_FAST a
"""

from __future__ import annotations

from typing import Dict, List, Set, Tuple

from depyf.decompiler.disassemble.graph import Graph, Node
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


def _summary(graph: Graph, run: List[int]) -> object:
    """What a run does with the slots it finds, numbered from the top; what is stored over is dropped."""
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
        else:
            variable = str(arg)
            if variable in stored:
                dropped.add(stored[variable])
            stored[variable] = slots.pop(0)
    while slots and slots[-1] == reached - 1:
        slots.pop()
        reached -= 1
    return frozenset(stored.items()), frozenset(dropped), tuple(slots), reached


def _is_moved(graph: Graph, node: Node) -> bool:
    if node.op == "STORE_FAST":
        following = graph.nodes[node.next[0]]
        return (node.op, node.arg) == (following.op, following.arg)
    return node.op == "SWAP"


@rule(
    "order of stores",
    "SWAP 2; STORE_FAST a; STORE_FAST b  ==  STORE_FAST b; STORE_FAST a",
    safe="storing a local and dropping a slot cannot raise, a variable keeps what is stored last, nothing runs in "
    "between but finalizers of old values, whose order is outside the promise; the compiler itself exchanges stores, "
    "and drops what is stored over, if they share a line (Python/flowgraph.c, apply_static_swaps)",
    applies=lambda graph: any(_is_moved(graph, node) for node in graph.nodes),
)
def order_of_stores(graph: Graph) -> Graph:
    """Make one operation of every run of moves: the set of its stores and what is left on the stack."""
    nodes = list(graph.nodes)
    for start, starts in enumerate(_is_run_start(graph)):
        if starts:
            run, after = _run(graph, start)
            nodes[start] = as_effect(nodes[start], STORES, _summary(graph, run), after)
    return with_nodes(graph, nodes)
