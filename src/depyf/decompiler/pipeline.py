"""The stages in order: read this first."""

from __future__ import annotations

import ast
from types import CodeType
from typing import List, Union

from depyf.decompiler.disassemble import Graph, decode
from depyf.decompiler.disassemble.stack import entry_stacks
from depyf.decompiler.lift.blocks import lift_blocks
from depyf.decompiler.lift.copies import Merging, merge_copies
from depyf.decompiler.lift.delegation import contract_delegation
from depyf.decompiler.lift.inlined import contract_comprehensions
from depyf.decompiler.lift.matching import contract_matches
from depyf.decompiler.lift.reduce import reduce_conditions
from depyf.decompiler.structure.finally_copies import drop_finally_copies
from depyf.decompiler.structure.handlers import purposes
from depyf.decompiler.structure.heads import Layout
from depyf.decompiler.structure.statements import statements

CO_OPTIMIZED = 0x1


def body_of(code: Union[CodeType, Graph], merging: Merging = Merging.SAME_POSITION) -> List[ast.stmt]:
    """The statements of one code object, nested ones still inside of it as :class:`~depyf.decompiler.lift.values.Function`.

    A comprehension that is inlined in the code is a graph instead (:class:`~depyf.decompiler.lift.inlined.Inlined`).
    """
    graph = code if isinstance(code, Graph) else contract_comprehensions(contract_delegation(decode(code)))  # Python versions stop mattering here
    graph = merge_copies(graph, entry_stacks(graph), merging)
    graph = contract_matches(drop_finally_copies(graph))
    found = purposes(graph, entry_stacks(graph))
    blocks = reduce_conditions(lift_blocks(graph))  # stack -> expressions
    return statements(Layout(blocks, found, bool(graph.code.co_flags & CO_OPTIMIZED)))  # jumps -> statements
