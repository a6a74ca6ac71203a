"""Lock-step comparison of two code objects: a bisimulation of their effect graphs.

    original:   LOAD_FAST a -> BRANCH -> ...          pairs visited: (0, 0) (1, 1) (2, 3) (4, 2) ...
    candidate:  LOAD_FAST a -> BRANCH -> ...          at each pair: same operation, operand and handler

Both graphs run at once from their entries.  A pair that was met before is taken to be equal (the greatest fixed point),
so that loops end and copies of one piece of code match the single piece.  The number of pairs is linear in practice.
"""

from __future__ import annotations

from itertools import chain
from types import CodeType
from typing import Dict, FrozenSet, List, NamedTuple, Sequence, Set, Tuple, Union

from depyf.decompiler.disassemble import Graph, decode
from depyf.decompiler.disassemble.constants import Const
from depyf.decompiler.verify.checks import (
    CODE_CHECKS,
    EDGE_CHECKS,
    NESTED_CHECKS,
    NODE_CHECKS,
    REPLACEMENT_CHECKS,
    CodeChecks,
    ambiguous_name,
    differing_fact,
    rows_of,
)
from depyf.decompiler.verify.exact import identical
from depyf.decompiler.verify.rules import RULES
from depyf.decompiler.verify.rules.rule import Rule, Unclear
from depyf.decompiler.verify.verdict import BISIMILAR, EXACT, Certificate, Mismatch, Place, Verdict


def verify(original: CodeType, candidate: CodeType, same_variables_order: bool = False) -> Verdict:
    """Compare two code objects of the running Python, nested ones included.

    ``same_variables_order`` also asks for the same order of free and cell variables, as code needs that takes the place
    of ``original`` in torch; without it, whoever makes a function of ``candidate`` has to bind free variables by name.

    Raises :class:`~depyf.decompiler.refusals.DamagedCode` if either is no program.
    """
    if identical(original, candidate):
        return Certificate(EXACT)
    order = REPLACEMENT_CHECKS if same_variables_order else {}
    return lockstep(original, candidate, order, skip_identical=True)


class _Pairing(NamedTuple):
    """Two code objects that have to be equal, and the names on the way to them."""

    path: Tuple[str, ...]
    original: CodeType
    candidate: CodeType
    order: CodeChecks


class _Walked(NamedTuple):
    """What comparing one pair of code objects says: pairs of nodes met, rules needed, pairs of nested code found."""

    pairs: int
    rules: FrozenSet[str]
    nested: List[Tuple[CodeType, CodeType]]


class _Difference(NamedTuple):
    """Where a walk stopped: a node of each graph, and what differs."""

    original: int
    candidate: int
    why: str


def lockstep(original: CodeType, candidate: CodeType, order: CodeChecks, skip_identical: bool) -> Verdict:
    """Walk two code objects and those nested in them; ``skip_identical`` leaves out nested ones that are the same."""
    pairs = 0
    rules: Set[str] = set()
    seen: Set[Tuple[int, int]] = set()
    pending = [_Pairing((original.co_name,), original, candidate, order)]
    while pending:
        pairing = pending.pop()
        outcome = _compare(pairing)
        if isinstance(outcome, Mismatch):
            return outcome
        pairs += outcome.pairs
        rules |= outcome.rules
        for one, other in outcome.nested:
            if (id(one), id(other)) not in seen:
                seen.add((id(one), id(other)))
                if not (skip_identical and identical(one, other)):
                    pending.append(_Pairing((*pairing.path, one.co_name), one, other, NESTED_CHECKS))
    axioms = tuple(rule.axiom for rule in RULES.values() if rule.name in rules and rule.axiom)
    return Certificate(BISIMILAR, frozenset(rules), axioms, pairs)


def _compare(pairing: _Pairing) -> Union[_Walked, Mismatch]:
    """Compare two code objects, those nested in them left to the caller."""
    path, one, other, order = pairing
    why = differing_fact(CODE_CHECKS, one, other) or differing_fact(order, one, other)
    unclear = ambiguous_name(one) or ambiguous_name(other)
    if why or unclear:
        return Mismatch(path, why or f"{unclear} stands for two variables")
    original, candidate = decode(one), decode(other)
    outcome = _walk(original, candidate)
    if not isinstance(outcome, _Difference):
        return _Walked(len(outcome), frozenset(), _nested(original, candidate, outcome))
    return _compare_by_rules(path, original, candidate, outcome)


def _compare_by_rules(
    path: Tuple[str, ...], original: Graph, candidate: Graph, difference: _Difference
) -> Union[_Walked, Mismatch]:
    """Rewrite by one rule after the other until the graphs are equal; then leave out the rules that were not needed."""
    tried: List[Rule] = []
    for rule in RULES.values():
        if not (rule.applies(original) or rule.applies(candidate)):
            continue
        try:
            outcome = _walk_by([*tried, rule], original, candidate)
        except Unclear:
            continue
        tried.append(rule)
        if not isinstance(outcome, _Difference):
            break
        difference = outcome
    else:
        at, found = Place(original, difference.original), Place(candidate, difference.candidate)
        return Mismatch(path, difference.why, at, found)
    needed = list(tried)
    for rule in tried:
        fewer = [kept for kept in needed if kept is not rule]
        if not isinstance(_walk_by(fewer, original, candidate), _Difference):
            needed = fewer
    names = frozenset(rule.name for rule in needed)
    return _Walked(len(outcome), names, _nested(original, candidate, outcome))


def _walk_by(rules: Sequence[Rule], original: Graph, candidate: Graph) -> Union[Set[int], _Difference]:
    for rule in rules:
        original, candidate = rule.rewrite(original), rule.rewrite(candidate)
    return _walk(original, candidate)


def _walk(original: Graph, candidate: Graph) -> Union[Set[int], _Difference]:
    """The pairs of nodes that have to be equal and are, each as ``original * size of candidate + candidate``."""
    keys, edges = _table(original)
    other_keys, other_edges = _table(candidate)
    size = len(other_keys)
    seen: Set[int] = set()
    pending = [(original.entry, candidate.entry)]
    while pending:
        one, other = pending.pop()
        pair = one * size + other
        while pair not in seen:
            seen.add(pair)
            if keys[one] != other_keys[other]:
                return _Difference(one, other, _explain(keys[one], other_keys[other]))
            ways, other_ways = edges[one], other_edges[other]
            if not ways:
                break
            if len(ways) > 1:
                pending.extend(zip(ways[1:], other_ways[1:]))
            one, other = ways[0], other_ways[0]
            pair = one * size + other
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


def _nested(original: Graph, candidate: Graph, pairs: Set[int]) -> List[Tuple[CodeType, CodeType]]:
    """The pairs of code objects that equal nodes load."""
    codes, others = _loaded_code(original), _loaded_code(candidate)
    if not codes:
        return []
    met = (divmod(pair, len(candidate.nodes)) for pair in sorted(pairs))
    return [(codes[one], others[other]) for one, other in met if one in codes]


def _loaded_code(graph: Graph) -> Dict[int, CodeType]:
    args = ((number, node.arg) for number, node in enumerate(graph.nodes) if type(node.arg) is Const)
    return {number: arg.value for number, arg in args if isinstance(arg.value, CodeType)}
