"""What a loop takes apart first is what it loops over.

for item in pairs:                for key, value in pairs:
    key, value = item       =>        ...
    ...
"""

from __future__ import annotations

import ast
from collections import Counter
from typing import List

from depyf.decompiler.trees import nodes_of


def with_unpacked_targets(body: List[ast.stmt]) -> List[ast.stmt]:
    """``body`` with such loops written so, where nothing else uses the item."""
    nodes = [node for statement in body for node in nodes_of(statement)]
    uses = Counter(node.id for node in nodes if isinstance(node, ast.Name))
    for loop in nodes:
        if isinstance(loop, ast.For) and isinstance(loop.target, ast.Name) and uses[loop.target.id] == 2:
            _unpack_target(loop, loop.target.id)
    return body


def _unpack_target(loop: ast.For, item: str) -> None:
    first = loop.body[0]
    if not isinstance(first, ast.Assign) or not isinstance(first.value, ast.Name) or first.value.id != item:
        return
    (target,) = first.targets
    if isinstance(target, ast.Tuple):
        loop.target, loop.body = target, loop.body[1:] or [ast.Pass()]
