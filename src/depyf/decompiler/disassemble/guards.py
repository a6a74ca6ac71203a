"""Branches that only look at a bool cannot raise: they are guarded by what guards the test before them.

    LOAD_FAST x                [raises to H]                LOAD_FAST x                [raises to H]
    LOAD_CONST None; IS_OP; BRANCH                   =>     LOAD_CONST None; IS_OP; BRANCH    [raises to H]

Since 3.13 jumps take a bool, and TO_BOOL before them is what can raise.  The exception table has gaps at jumps that the
compiler turned around (Python/flowgraph.c, normalize_jumps); which jumps these are depends on the layout of the code.
"""

from __future__ import annotations

import dis
from typing import List, Optional, Sequence, Set

from depyf.decompiler.disassemble.graph import Graph, Handler, Node
from depyf.decompiler.disassemble.opcodes import MICRO_OPS
from depyf.decompiler.versions import JUMPS_TAKE_BOOLS


def guard_branches(graph: Graph) -> Graph:
    """``graph`` with handlers of branches that cannot raise as those of the operations before them, if these agree."""
    if not JUMPS_TAKE_BOOLS or not any(node.handler is not None for node in graph.nodes):
        return graph
    bytecode = graph.code.co_code
    quiet = [node.op == "BRANCH" and dis.opname[bytecode[node.offset]].startswith("POP_JUMP") for node in graph.nodes]
    before = _predecessors(graph.nodes)
    nodes = list(graph.nodes)
    jumps = {node.offset for node, is_quiet in zip(graph.nodes, quiet) if is_quiet}
    for number, is_quiet in enumerate(quiet):
        if is_quiet:
            run = _run_before(graph.nodes, before, number)
            guards = {
                graph.nodes[place].handler
                for place in run
                if MICRO_OPS[graph.nodes[place].op].raises and not quiet[place]
            }
            if len(guards) != 1:
                continue
            guard = guards.pop()
            # Behind an inlined comprehension, which leaves its handler without raising, that handler has nothing left.
            if any(nodes[place].handler != guard for place in run if nodes[place].offset not in jumps):
                continue
            places = [place for place in run if place == number or nodes[place].offset == nodes[number].offset]
            _guard(nodes, places, guard)
    return graph._replace(nodes=tuple(nodes))


def _guard(nodes: List[Node], places: Sequence[int], handler: Optional[Handler]) -> None:
    for place in places:
        nodes[place] = nodes[place]._replace(handler=handler)


def _predecessors(nodes: Sequence[Node]) -> List[List[int]]:
    before: List[List[int]] = [[] for _node in nodes]
    for number, node in enumerate(nodes):
        for target in node.next:
            before[target].append(number)
    return before


def _run_before(nodes: Sequence[Node], before: Sequence[Sequence[int]], start: int) -> Set[int]:
    """``start``, what cannot raise on the ways to it, and the operations in front of that."""
    seen = {start}
    pending = list(before[start])
    while pending:
        number = pending.pop()
        if number not in seen:
            seen.add(number)
            if not MICRO_OPS[nodes[number].op].raises:
                pending += before[number]
    return seen
