"""A graph as torch prints it -> a Python module that imports, with the shapes of its values.

    class <lambda>(torch.nn.Module):            \"\"\"Forward_graph of __compiled_fn_1 ...\"\"\"
        def forward(self, a: "f32[10]"):  =>    import torch ...
            ...                                 class lambda_(torch.nn.Module): ...
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

from depyf.record.text import comment, docstring

# What torch.fx.graph registers for generated code (_custom_builtins), as imports.
_IMPORTS = """\
from math import inf, nan

import torch
import torch.fx._pytree as fx_pytree
import torch.utils._pytree as pytree
from torch import device

NoneType = type(None)
"""
_ODD_CLASS = re.compile(r"^(\s*)class <(\w+)>", re.MULTILINE)
# An id() that torch adds to some printings.
_GRAPH_ID = re.compile(r"^\s*# graph id: \d+$", re.MULTILINE)


@dataclass(frozen=True)
class StageText:
    """A module's text, the values it annotates as (name, annotation), and how many operations it has."""

    source: str
    shapes: tuple[tuple[str, str], ...]
    node_count: int


def stage_text(printed: str, about: str) -> StageText:
    """The module for one printed graph. Text that is no Python at all is kept as a comment, with the reason."""
    graph = _GRAPH_ID.sub("", _ODD_CLASS.sub(r"\1class \2_", printed)).strip() + "\n"
    head = docstring(about)
    try:
        tree = ast.parse(graph)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return StageText(f"{head}\n# As torch printed it; not Python: {error}\n{comment(graph)}", (), 0)
    return StageText(f"{head}\n{_IMPORTS}\n\n{graph}", _shapes(tree), _operations(tree))


def _shapes(tree: ast.AST) -> tuple[tuple[str, str], ...]:
    found: list[tuple[str, str]] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.arg) and isinstance(node.annotation, ast.Constant):
            found.append((node.arg, str(node.annotation.value)))
        elif isinstance(node, ast.AnnAssign) and isinstance(node.annotation, ast.Constant):
            found.append((ast.unparse(node.target) if hasattr(ast, "unparse") else _name(node.target),
                          str(node.annotation.value)))
    return tuple(found)


def _name(target: ast.expr) -> str:
    return target.id if isinstance(target, ast.Name) else "?"


def _operations(tree: ast.AST) -> int:
    """Assignments that compute something: not ``x = y``, ``x = None`` or reading an attribute of the module."""
    assigned = (node.value for node in ast.walk(tree) if isinstance(node, (ast.Assign, ast.AnnAssign)))
    return sum(1 for value in assigned if _computes(value))


def _computes(value: object) -> bool:
    if isinstance(value, ast.Call):
        return not (isinstance(value.func, ast.Attribute) and value.func.attr.startswith("tree_flatten"))
    return isinstance(value, (ast.BinOp, ast.UnaryOp, ast.Compare, ast.Subscript))
