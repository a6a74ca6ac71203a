"""A graph as torch prints it -> a Python module that runs on made-up inputs, with the shapes of its values.

class <lambda>(torch.nn.Module):            \"\"\"Forward_graph of __compiled_fn_1 ...\"\"\"
    def forward(self, a: "f32[10]"):  =>    import torch ...
        ...                                 class lambda_(torch.nn.Module): ...
"""

from __future__ import annotations

import ast
import re
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
_ODD_CLASS = re.compile(r"class <(\w+)>\(")
_DIGITS = str.maketrans("", "", "0123456789")
# After the annotation of an argument, or of what a statement makes.
_AFTER_ANNOTATION = re.compile(r" = |[,)]| *(?:#|$)", re.MULTILINE)
_LONG = 400  # lines; fewer are parsed as they are
_SHORT = 150  # statements; more is never shown in short
# An id() that torch adds to some printings.
_GRAPH_ID = re.compile(r"# graph id: \d+$", re.MULTILINE)


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
    graph = _GRAPH_ID.sub("", _ODD_CLASS.sub(r"class \1_(", printed)).strip() + "\n"
    head = docstring(about)
    is_long = graph.count("\n") > _LONG
    bare = _without_comments(graph) if is_long else graph
    short, times = sketch(bare) if is_long else (graph, ())
    try:
        tree = ast.parse(short)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return StageText(f"{head}\n# As torch printed it; not Python: {error}\n{comment(graph)}", (), 0, None)
    nodes = list(_statements(tree.body))
    if is_long:
        shapes = tuple(_annotated(bare))
        count = sum(times[node.lineno - 1] for node in nodes if _computes(node))
    else:
        shapes = tuple(found for found in map(_shape, nodes) if found is not None)
        count = sum(map(_computes, nodes))
    code = graph_code(tree, name) if len(nodes) < _SHORT and not times else None
    return StageText(f"{head}\n{_IMPORTS}\n\n{graph}{example(tree, symbols or {})}", shapes, count, code)


def sketch(graph: str) -> tuple[str, tuple[int, ...]]:
    """A graph without comments, with one operation of each kind, and how many there were in place of each line.

    A large graph has the same operations for each layer, but for the numbers in them. A tree of all of them costs more
    than printing them did, most of it in Python's garbage collector. Numbers decide nothing about the syntax of what
    torch prints, nor does how often a line is there.
    """
    lines: list[str] = []
    times: list[int] = []
    places: dict[str, int] = {}
    # Without numbers; a translation is much faster than a regular expression.
    for line, form in zip(graph.split("\n"), graph.translate(_DIGITS).split("\n")):
        is_operation = " = " in line and "self." not in line and "tree_flatten" not in line
        place = places.setdefault(form, len(lines)) if is_operation else len(lines)
        if place == len(lines):
            lines.append(line)
            times.append(0)
        times[place] += 1
    return "\n".join(lines), tuple(times)


def _annotated(graph: str) -> Iterator[tuple[str, str]]:
    """Names with what torch writes behind them in quotation marks."""
    pieces = graph.split(': "')
    for before, after in zip(pieces, pieces[1:]):
        name = before[max(map(before.rfind, " (,\n")) + 1 :]
        annotation, quote, rest = after.partition('"')
        if quote and name.isidentifier() and _AFTER_ANNOTATION.match(rest):
            yield name, annotation


def _without_comments(graph: str) -> str:
    return "\n".join(line for line in graph.split("\n") if not line.lstrip(" \t").startswith("#"))


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
