"""Rule for the cells that a frame makes before it runs (CPython 3.11+, MAKE_CELL at the start of the code)."""

from __future__ import annotations

from typing import List, Tuple

from depyf.decompiler.disassemble.graph import Graph
from depyf.decompiler.verify.checks import CELLS
from depyf.decompiler.verify.rules.rule import as_effect, rule, with_nodes


def _made_at_start(graph: Graph) -> Tuple[List[str], int]:
    """The cells made first of all, and the node after that."""
    names: List[str] = []
    number = graph.entry
    while graph.nodes[number].op == "MAKE_CELL":
        names.append(str(graph.nodes[number].arg))
        number = graph.nodes[number].next[0]
    return names, number


def _starts_with_cells(graph: Graph) -> bool:
    return graph.nodes[graph.entry].op == "MAKE_CELL" and not any(graph.entry in node.next for node in graph.nodes)


@rule(
    "cells of a frame",
    "MAKE_CELL a; MAKE_CELL b; MAKE_CELL unused  ==  MAKE_CELL b; MAKE_CELL a",
    safe="cells are made before anything else runs, and one that no operation names cannot be reached",
    applies=_starts_with_cells,
)
def cells_of_a_frame(graph: Graph) -> Graph:
    """Make all cells that are used in one operation."""
    if not _starts_with_cells(graph):
        return graph
    names, after = _made_at_start(graph)
    used = frozenset(names) & {node.arg for node in graph.nodes if node.op != "MAKE_CELL" and isinstance(node.arg, str)}
    nodes = list(graph.nodes)
    nodes[graph.entry] = as_effect(nodes[graph.entry], CELLS, used, after)
    return with_nodes(graph, nodes, [number == graph.entry and not used for number in range(len(nodes))])
