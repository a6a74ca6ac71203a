"""Rules: names for what two graphs may differ in without doing anything different.

A rule rewrites a graph to a normal form and keeps the numbers of its nodes; nodes that are rewritten away lose the
edges that lead to them.  Two programs are equal under a set of rules when their normal forms walk in lock-step.  What
``decode`` removes already (jumps, superinstructions, ...) needs no rule here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, List, Optional, Sequence

from depyf.decompiler.disassemble.graph import Graph, Handler, Node

Rewrite = Callable[[Graph], Graph]


class Unclear(Exception):
    """A rule finds a graph that it has no normal form for: it says nothing about either graph."""


@dataclass(frozen=True)
class Rule:
    """``picture`` shows the rule, ``safe`` says why no program can tell the difference.

    ``applies`` is a quick look whether a graph has anything of the kind.  ``axiom`` names what the reason takes for
    granted about the objects of the program; it is empty where nothing is.
    """

    name: str
    picture: str
    safe: str
    applies: Callable[[Graph], bool]
    rewrite: Rewrite
    axiom: str = ""


def rule(
    name: str, picture: str, safe: str, applies: Callable[[Graph], bool], axiom: str = ""
) -> Callable[[Rewrite], Rule]:
    """Make a rule of a rewriting."""
    return lambda rewrite: Rule(name, picture, safe, applies, rewrite, axiom)


def with_nodes(graph: Graph, nodes: Sequence[Node], skipped: Optional[Sequence[bool]] = None) -> Graph:
    """``graph`` with other nodes of the same number; edges to ``skipped`` nodes go on to their only successor."""
    if skipped is None:
        return graph._replace(nodes=tuple(nodes))
    target = _beyond(nodes, skipped)
    moved = []
    for node in nodes:
        handler = node.handler
        if handler is not None:
            handler = Handler(target[handler.target], handler.depth, handler.lasti)
        moved.append(node._replace(next=tuple(target[number] for number in node.next), handler=handler))
    return graph._replace(nodes=tuple(moved), entry=target[graph.entry])


def _beyond(nodes: Sequence[Node], skipped: Sequence[bool]) -> List[int]:
    """For each node the first one from there on that is not skipped; one of them, if all are in an endless loop."""
    target: List[Optional[int]] = [None if skip else number for number, skip in enumerate(skipped)]
    for start in range(len(nodes)):
        passed: List[int] = []
        seen = set()
        number = start
        while target[number] is None and number not in seen:
            seen.add(number)
            passed.append(number)
            number = nodes[number].next[0]
        known = target[number]
        for number_passed in passed:
            target[number_passed] = number if known is None else known
    return [number for number in target if number is not None]


def as_effect(node: Node, op: str, arg: object, *following: int) -> Node:
    """``node`` as another operation."""
    return node._replace(op=op, arg=arg, next=following)
