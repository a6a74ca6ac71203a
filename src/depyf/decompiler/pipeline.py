"""The stages in order: read this first."""

from __future__ import annotations

import ast
from types import CodeType
from typing import Iterator, List, NamedTuple, Tuple, Union

from depyf.decompiler.definitions.comprehensions import COMPREHENSION_NAMES
from depyf.decompiler.disassemble import Graph
from depyf.decompiler.disassemble.decoded import decoded
from depyf.decompiler.disassemble.prune import prune
from depyf.decompiler.disassemble.stack import StackError, entry_stacks
from depyf.decompiler.lift.blocks import Blocks, lift_blocks
from depyf.decompiler.lift.copies import Merging, merge_copies
from depyf.decompiler.lift.delegation import contract_delegation
from depyf.decompiler.lift.inlined import contract_inlined
from depyf.decompiler.lift.matching import contract_matches
from depyf.decompiler.lift.reduce import reduce_conditions
from depyf.decompiler.refusals import STACK_SHAPE, Refused
from depyf.decompiler.structure.continues import tell_continues, tell_falls
from depyf.decompiler.structure.except_star import contract_except_star
from depyf.decompiler.structure.finally_copies import drop_finally_copies
from depyf.decompiler.structure.handlers import purposes
from depyf.decompiler.structure.heads import Layout
from depyf.decompiler.structure.statements import statements
from depyf.decompiler.verify.rules.folding import constant_condition

CO_OPTIMIZED = 0x1
EXPRESSION_NAMES = COMPREHENSION_NAMES | {"<lambda>"}


class Reading(NamedTuple):
    """One way to read a graph: which copies are merged, whether ways that constants rule out are left out first,
    whether ``continue`` is told from running off the end of a loop, and whether each way into a ``finally`` body that
    never completes is a ``return``.
    """

    merging: Merging
    decided: bool = False
    continues: bool = True
    apart: bool = False


# In the order in which they are tried: what a person wrote is seen best by the first.
READINGS = (
    *(Reading(merging) for merging in Merging),
    Reading(Merging.SAME_POSITION, decided=True),
    Reading(Merging.NOTHING, decided=True),
    Reading(Merging.SAME_POSITION, continues=False),
    Reading(Merging.SAME_POSITION, apart=True),
)
Form = Union[Graph, Blocks, List[ast.stmt]]


def body_of(code: Union[CodeType, Graph], reading: Reading = READINGS[0]) -> List[ast.stmt]:
    """The statements of one code object, nested ones still inside of it as
    :class:`~depyf.decompiler.lift.values.Function`.

    A comprehension that is inlined in the code is a graph instead (:class:`~depyf.decompiler.lift.inlined.Inlined`).
    """
    try:
        *_before, (_stage, body) = forms(code, reading)
    except StackError as error:
        graph = code if isinstance(code, Graph) else decoded(code)
        entry_stacks(graph)  # raises for damaged code; otherwise only this reading of it has no stacks
        raise Refused(STACK_SHAPE, error.why, graph.code.co_name) from error
    assert isinstance(body, list)
    return body


def forms(code: Union[CodeType, Graph], reading: Reading = READINGS[0]) -> Iterator[Tuple[str, Form]]:
    """Stage by stage, its name and what it made.

    Later stages may change blocks in place, so look at each as it comes.
    """
    graph = code if isinstance(code, Graph) else decoded(code)  # Python versions stop mattering here
    yield "graph", graph
    if reading.decided:
        graph = _decided(graph)
    if not isinstance(code, Graph):
        graph = contract_except_star(contract_inlined(contract_delegation(graph)))
        yield "contracted", graph
    graph = merge_copies(graph, entry_stacks(graph), reading.merging)
    yield "merged", graph
    graph = contract_matches(drop_finally_copies(graph, reading.apart))
    yield "regions", graph
    guarded = any(node.handler is not None for node in graph.nodes)
    found = purposes(graph, entry_stacks(graph)) if guarded else {}
    holds_statements = not (isinstance(code, Graph) or code.co_name in EXPRESSION_NAMES)
    graph = tell_falls(tell_continues(graph), found) if holds_statements and reading.continues else graph
    blocks = lift_blocks(graph, holds_statements=holds_statements)  # stack -> expressions
    yield "blocks", blocks
    blocks = reduce_conditions(blocks)
    yield "reduced", blocks
    yield (
        "statements",
        statements(Layout(blocks, found, bool(graph.code.co_flags & CO_OPTIMIZED))),
    )  # jumps -> statements


def _decided(graph: Graph) -> Graph:
    """``graph`` in the normal form that the verifier compares: no test of a constant, and no way that none leads to."""
    graph = constant_condition.rewrite(graph)
    return prune(graph.code, graph.nodes, graph.entry)
