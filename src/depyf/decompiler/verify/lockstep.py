"""Two code objects, with all that are nested in them: their facts compared, their graphs walked.

    original    module -> f -> <lambda>          Certificate("bisimilar", rules, axioms, pairs)
    candidate   module -> f -> <lambda>    =>    or the first Mismatch

Nested code objects are paired by the operations that load them.
"""

from __future__ import annotations

from types import CodeType
from typing import Dict, Iterator, List, NamedTuple, Set, Tuple, Union

from depyf.decompiler.disassemble import Graph, decode
from depyf.decompiler.disassemble.constants import Const
from depyf.decompiler.verify.checks import (
    CODE_CHECKS,
    NESTED_CHECKS,
    REPLACEMENT_CHECKS,
    CodeChecks,
    ambiguous_name,
    differing_fact,
)
from depyf.decompiler.verify.exact import identical
from depyf.decompiler.verify.rules import RULES
from depyf.decompiler.verify.verdict import BISIMILAR, EXACT, Certificate, Mismatch, Verdict
from depyf.decompiler.verify.walk import Equal, compare_graphs

CodePair = Tuple[CodeType, CodeType]


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


def lockstep(original: CodeType, candidate: CodeType, order: CodeChecks, skip_identical: bool) -> Verdict:
    """Walk two code objects and those nested in them; ``skip_identical`` leaves out nested ones that are the same."""
    pairs = 0
    rules: Set[str] = set()
    for _pairing, equal in _compared(original, candidate, order, skip_identical):
        if isinstance(equal, Mismatch):
            return equal
        pairs += len(equal.pairs)
        rules |= equal.rules
    axioms = tuple(rule.axiom for rule in RULES.values() if rule.name in rules and rule.axiom)
    return Certificate(BISIMILAR, frozenset(rules), axioms, pairs)


def rejected(original: CodeType, candidate: CodeType) -> List[CodeType]:
    """The code objects of ``original`` whose counterparts differ, those aside that are nested in one of them."""
    outcomes = _compared(original, candidate, {}, True)
    return [pairing.original for pairing, outcome in outcomes if isinstance(outcome, Mismatch)]


def _compared(
    original: CodeType, candidate: CodeType, order: CodeChecks, skip_identical: bool
) -> Iterator[Tuple[_Pairing, Union[Equal, Mismatch]]]:
    """Pairs of code objects, each with what comparing it says.

    Nothing is known about what is nested in a difference.
    """
    seen: Set[Tuple[int, int]] = set()
    pending = [_Pairing((original.co_name,), original, candidate, order)]
    while pending:
        pairing = pending.pop()
        outcome = _compare(pairing)
        if isinstance(outcome, Mismatch):
            yield pairing, outcome
            continue
        equal, nested = outcome
        yield pairing, equal
        for one, other in nested:
            if (id(one), id(other)) not in seen:
                seen.add((id(one), id(other)))
                if not (skip_identical and identical(one, other)):
                    pending.append(_Pairing((*pairing.path, one.co_name), one, other, NESTED_CHECKS))


def _compare(pairing: _Pairing) -> Union[Tuple[Equal, List[CodePair]], Mismatch]:
    """Compare two code objects; those nested in them are returned, in pairs."""
    path, one, other, order = pairing
    why = differing_fact(CODE_CHECKS, one, other) or differing_fact(order, one, other)
    unclear = ambiguous_name(one) or ambiguous_name(other)
    if why or unclear:
        return Mismatch(path, why or f"{unclear} stands for two variables")
    original, candidate = decode(one), decode(other)
    outcome = compare_graphs(path, original, candidate)
    return outcome if isinstance(outcome, Mismatch) else (outcome, _nested(original, candidate, outcome))


def _nested(original: Graph, candidate: Graph, equal: Equal) -> List[CodePair]:
    """The pairs of code objects that equal nodes load."""
    codes, others = _loaded_code(original), _loaded_code(candidate)
    if not codes:
        return []
    pairs = sorted(equal.pairs)
    return [(codes[one], others[other]) for one, other in pairs if one in codes and other in others]


def _loaded_code(graph: Graph) -> Dict[int, CodeType]:
    args = ((number, node.arg) for number, node in enumerate(graph.nodes) if type(node.arg) is Const)
    return {number: arg.value for number, arg in args if isinstance(arg.value, CodeType)}
