"""A graph as torch prints it -> a Python module that runs on made-up inputs, with the shapes of its values.

class <lambda>(torch.nn.Module):            \"\"\"Forward_graph of __compiled_fn_1 ...\"\"\"
    def forward(self, a: "f32[10]"):  =>    import torch ...
        ...                                 class lambda_(torch.nn.Module): ...
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from dataclasses import dataclass
from typing import Iterator, Mapping

from depyf.record.examples import example
from depyf.record.graph_code import graph_code
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
_NUMBER = re.compile(r"\d+")
# An argument, or what a statement makes.
_ANNOTATED = re.compile(r'(?:^ *|[(,] ?)(\w+): "([^"]*)"(?= = |[,)]| *(?:#|$))', re.MULTILINE)
_LONG = 400  # lines; fewer are parsed as they are
_SHORT = 150  # statements; more is never shown in short
_COMMENT = re.compile(r"^[ \t]*#.*\n", re.MULTILINE)
# An id() that torch adds to some printings.
_GRAPH_ID = re.compile(r"^\s*# graph id: \d+$", re.MULTILINE)


@dataclass(frozen=True)
class StageText:
    """A module's text, the values it annotates as (name, annotation), how many operations it has; ``code`` is the graph
    in short, when it is short."""

    source: str
    shapes: tuple[tuple[str, str], ...]
    node_count: int
    code: str | None


def stage_text(printed: str, about: str, name: str, symbols: Mapping[str, str] | None = None) -> StageText:
    """The module for one printed form of the graph ``name``. Text that is no Python is kept as a comment, and why.

    ``symbols`` are the values that its dynamic sizes had."""
    graph = _GRAPH_ID.sub("", _ODD_CLASS.sub(r"\1class \2_", printed)).strip() + "\n"
    head = docstring(about)
    found = survey(graph) if graph.count("\n") > _LONG else None
    if found is not None:
        return StageText(f"{head}\n{_IMPORTS}\n\n{graph}", *found, None)
    try:
        tree = ast.parse(graph)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return StageText(f"{head}\n# As torch printed it; not Python: {error}\n{comment(graph)}", (), 0, None)
    nodes = list(_statements(tree.body))
    shapes = tuple(found for found in map(_shape, nodes) if found is not None)
    short = graph_code(tree, name) if len(nodes) < _SHORT else None
    runs = example(tree, symbols or {})
    return StageText(f"{head}\n{_IMPORTS}\n\n{graph}{runs}", shapes, sum(map(_computes, nodes)), short)


def survey(graph: str) -> tuple[tuple[tuple[str, str], ...], int] | None:
    """The annotated values and the number of operations, told from one line of each kind; None when that cannot be.

    A large graph has the same lines for each layer, but for the numbers in them. A tree of all of them costs more than
    printing them did, most of it in Python's garbage collector. Numbers decide nothing about the syntax of what torch
    prints, nor does how often a line is there.
    """
    statements = _COMMENT.sub("", graph)
    kinds = Counter(_NUMBER.sub("0", statements).split("\n"))
    try:
        tree = ast.parse("\n".join(kinds))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    times = list(kinds.values())
    operations = sum(times[node.lineno - 1] for node in _statements(tree.body) if _computes(node))
    return tuple(_ANNOTATED.findall(statements)), operations


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt | ast.arg]:
    """The arguments and statements of every ``forward``, nested graphs included."""
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from _statements(node.body)
        elif isinstance(node, ast.FunctionDef):
            yield from node.args.args
            yield from _statements(node.body)
        else:
            yield node


def _shape(node: ast.AST) -> tuple[str, str] | None:
    annotation = getattr(node, "annotation", None)
    if not isinstance(annotation, ast.Constant):
        return None
    name = node.arg if isinstance(node, ast.arg) else getattr(getattr(node, "target", None), "id", "?")
    return name, str(annotation.value)


def _computes(node: ast.AST) -> bool:
    """Not ``x = y``, ``x = None``, reading an attribute of the module, or taking the arguments apart."""
    value = getattr(node, "value", None) if isinstance(node, (ast.Assign, ast.AnnAssign)) else None
    if isinstance(value, ast.Call):
        return not (isinstance(value.func, ast.Attribute) and value.func.attr.startswith("tree_flatten"))
    return isinstance(value, (ast.BinOp, ast.UnaryOp, ast.Compare, ast.Subscript))
