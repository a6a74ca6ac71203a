"""Two effect graphs in lock-step: every pair of nodes that has to be equal, under as few rules as needed.

    original:   LOAD_FAST a -> BRANCH -> ...          pairs met: (0, 0) (1, 1) (2, 3) (4, 2) ...
    candidate:  LOAD_FAST a -> BRANCH -> ...          at each pair: same operation, operand and handler

A pair that was met before is taken to be equal (the greatest fixed point), so that loops end and copies of one piece of
code match the single piece.  The number of pairs is linear in practice.
"""

from __future__ import annotations

from itertools import chain
from typing import FrozenSet, List, NamedTuple, Sequence, Set, Tuple, Union

from depyf.decompiler.disassemble import Graph
from depyf.decompiler.verify.checks import EDGE_CHECKS, NODE_CHECKS, rows_of
from depyf.decompiler.verify.rules import RULES
from depyf.decompiler.verify.rules.rule import Rule, Unclear
from depyf.decompiler.verify.verdict import Mismatch, Place


class Equal(NamedTuple):
    """Two graphs do the same: the pairs of equal nodes, and the rules that were needed to see it."""

    pairs: FrozenSet[Tuple[int, int]]
    rules: FrozenSet[str]


class _Difference(NamedTuple):
    """Where a walk stopped: a node of each graph, and what differs."""

    original: int
    candidate: int
    why: str


_Walk = Union[Set[Tuple[int, int]], _Difference]


def compare_graphs(path: Tuple[str, ...], original: Graph, candidate: Graph) -> Union[Equal, Mismatch]:
    """Walk two graphs, as they are first, then rewritten by one rule after the other.

    ``path`` is what a mismatch calls the code; rules that turn out not to be needed are left out.
    """
    outcome = _walk(original, candidate)
    tried: List[Rule] = []
    for rule in RULES.values():
        if not isinstance(outcome, _Difference):
            break
        if rule.applies(original) or rule.applies(candidate):
            try:
                outcome = _walk_by([*tried, rule], original, candidate)
            except Unclear:
                continue
            tried.append(rule)
    if isinstance(outcome, _Difference):
        at, found = Place(original, outcome.original), Place(candidate, outcome.candidate)
        return Mismatch(path, outcome.why, at, found)
    needed = _needed(tried, original, candidate)
    return Equal(frozenset(outcome), frozenset(rule.name for rule in needed))


def _needed(tried: Sequence[Rule], original: Graph, candidate: Graph) -> List[Rule]:
    """The rules without which the graphs differ."""
    needed = list(tried)
    for rule in tried:
        fewer = [kept for kept in needed if kept is not rule]
        if not isinstance(_walk_by(fewer, original, candidate), _Difference):
            needed = fewer
    return needed


def _walk_by(rules: Sequence[Rule], original: Graph, candidate: Graph) -> _Walk:
    for rule in rules:
        original, candidate = rule.rewrite(original), rule.rewrite(candidate)
    return _walk(original, candidate)


def _walk(original: Graph, candidate: Graph) -> _Walk:
    """The pairs of nodes that have to be equal, if they are."""
    keys, edges = _table(original)
    other_keys, other_edges = _table(candidate)
    seen: Set[Tuple[int, int]] = set()
    pending = [(original.entry, candidate.entry)]
    while pending:
        pair = pending.pop()
        while pair not in seen:
            seen.add(pair)
            one, other = pair
            if keys[one] != other_keys[other]:
                return _Difference(one, other, _explain(keys[one], other_keys[other]))
            ways, other_ways = edges[one], other_edges[other]
            if not ways:
                break
            if len(ways) > 1:
                pending.extend(zip(ways[1:], other_ways[1:]))
            pair = ways[0], other_ways[0]
    return seen


def _table(graph: Graph) -> Tuple[List[Tuple[object, ...]], List[Tuple[int, ...]]]:
    """What is compared of each node, and where the walk goes on from it."""
    rows = rows_of(graph)
    keys = list(zip(*(check(rows) for check in NODE_CHECKS.values())))
    edges = [tuple(chain(*ways)) for ways in zip(*(check(rows) for check in EDGE_CHECKS.values()))]
    return keys, edges


def _explain(key: Tuple[object, ...], other: Tuple[object, ...]) -> str:
    name, expected, found = next(facts for facts in zip(NODE_CHECKS, key, other) if facts[1] != facts[2])
    return f"{name}: expected {expected!r}, found {found!r}"
