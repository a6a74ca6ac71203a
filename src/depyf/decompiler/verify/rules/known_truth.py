"""Rule for a value that is tested again right after its truth was found out.

   COPY 1; BRANCH -> (POP_TOP; m, n)            COPY 1; BRANCH -> (POP_TOP; m, k)
n: COPY 1; BRANCH -> (l, k)               ==
"""

from __future__ import annotations

from typing import List, Tuple

from depyf.decompiler.disassemble.graph import Graph, Node
from depyf.decompiler.verify.checks import TEST
from depyf.decompiler.verify.rules.rule import as_effect, rule, with_nodes

# Whether the tested value is still on the stack, and the node that runs then.
Landing = Tuple[bool, int]


def _keeps_and_tests(nodes: Tuple[Node, ...], number: int) -> bool:
    node = nodes[number]
    return node.op == "COPY" and node.arg == 1 and nodes[node.next[0]].op == "BRANCH"


def _landing(nodes: Tuple[Node, ...], number: int, edge: int) -> Landing:
    """Where control arrives from ``number`` with the tested value on top, whose truth is the one of ``edge``."""
    seen = set()
    while _keeps_and_tests(nodes, number) and number not in seen:
        seen.add(number)
        number = nodes[nodes[number].next[0]].next[edge]
    node = nodes[number]
    if node.op == "BRANCH":
        return False, node.next[edge]
    if node.op == "POP_TOP":
        return False, node.next[0]
    return True, number


def _tests_again(graph: Graph) -> bool:
    nodes = graph.nodes
    for number, node in enumerate(nodes):
        if _keeps_and_tests(nodes, number):
            for target in nodes[node.next[0]].next:
                if nodes[target].op == "BRANCH" or _keeps_and_tests(nodes, target):
                    return True
    return False


@rule(
    "known truth",
    "COPY 1; BRANCH -> (n, m); m: BRANCH -> (l, k)  ==  COPY 1; BRANCH -> (n, m); m: POP_TOP; go on at k",
    safe="the second test finds what the first one found; in `a and b or c` the compiler itself drops it or not as "
    "lines break (Python/flowgraph.c, jump threading)",
    applies=_tests_again,
    axiom="testing the truth of a value a second time, at once, gives the same answer and has no other effect",
)
def known_truth(graph: Graph) -> Graph:
    """Let every test lead past tests of the same value, and say for each outcome whether the value stays."""
    nodes = list(graph.nodes)
    for number, node in enumerate(graph.nodes):
        if node.op == "BRANCH":
            nodes[number] = as_effect(node, TEST, (False, False), *node.next)
        elif _keeps_and_tests(graph.nodes, number):
            branch = graph.nodes[node.next[0]]
            landings: List[Landing] = [_landing(graph.nodes, target, edge) for edge, target in enumerate(branch.next)]
            kept = tuple(stays for stays, _ in landings)
            nodes[number] = as_effect(branch, TEST, kept, *(target for _, target in landings))
    return with_nodes(graph, nodes)
