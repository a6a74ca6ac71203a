"""Which bytecode of the original each printed line stands for.

    1  def f(a):                   0
    2      x = a + 1        =>     2: (2, 4, 6, 8)
    3      return x                3: (10, 12)

The original and the candidate run in lock-step, as they did when they were compared; a node of the candidate knows its
line, its partner the offset.
"""

from __future__ import annotations

import ast
from types import CodeType
from typing import Dict, List, Set, Tuple

from depyf.decompiler.disassemble import Graph, decode
from depyf.decompiler.emit import emit_source

LineMap = Dict[int, Tuple[int, ...]]


def line_map(original: CodeType, candidate: CodeType, tree: ast.Module) -> LineMap:
    """Offsets (in bytes, ascending) of ``original`` by line (from 1) of the text printed from ``tree``.

    Code nested in ``original`` is not in it.  What was proved by more than comparing operation by operation is mapped
    up to the first place where the two differ.
    """
    before, after = decode(original), decode(candidate)
    above = _lines_above(tree, candidate)
    offsets: Dict[int, Set[int]] = {}
    for one, other in _pairs(before, after):
        line = after.nodes[other].position.line
        if line is not None:
            offsets.setdefault(line - above, set()).add(before.nodes[one].offset)
    return {line: tuple(sorted(offsets[line])) for line in sorted(offsets)}


def _lines_above(tree: ast.Module, candidate: CodeType) -> int:
    """Lines that stand above the printed text when it is compiled, as those of the function around a closure do."""
    if not tree.body or candidate.co_name == "<module>":
        return 0
    return candidate.co_firstlineno - emit_source(tree).line_of(tree.body[-1])


def _pairs(before: Graph, after: Graph) -> Set[Tuple[int, int]]:
    """Nodes that run at the same time; ways on which the operations differ end there."""
    seen: Set[Tuple[int, int]] = set()
    pending: List[Tuple[int, int]] = [(before.entry, after.entry)]
    while pending:
        pair = pending.pop()
        one, other = before.nodes[pair[0]], after.nodes[pair[1]]
        if pair in seen or one.op != other.op or len(one.next) != len(other.next):
            continue
        seen.add(pair)
        pending += zip(one.next, other.next)
        if one.handler is not None and other.handler is not None:
            pending.append((one.handler.target, other.handler.target))
    return seen
