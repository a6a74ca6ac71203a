"""What stands in the heads of functions, classes, calls and imports: parameters, keywords, type parameters, aliases.

arguments(posonlyargs=[a], args=[b], vararg=c, kwonlyargs=[d], defaults=[1], kw_defaults=[None])   =>   a, /, b=1, *c, d
"""

from __future__ import annotations

import ast
from typing import Any, Callable, Dict, List, Optional

from depyf.decompiler.emit.pieces import ATOM, BIT_OR, Child, Inline, Pieces, after, joined


def arguments(node: ast.arguments) -> Inline:
    positional = node.posonlyargs + node.args
    defaults: List[Optional[ast.expr]] = [None] * (len(positional) - len(node.defaults))
    groups = [_parameter(*pair) for pair in zip(positional, defaults + list(node.defaults))]
    if node.posonlyargs:
        groups.insert(len(node.posonlyargs), ["/"])
    if node.vararg or node.kwonlyargs:
        groups.append(["*", *after("", node.vararg)])
    groups += [_parameter(*pair) for pair in zip(node.kwonlyargs, node.kw_defaults)]
    if node.kwarg:
        groups.append(["**", Child(node.kwarg)])
    return ATOM, joined(groups)


def _parameter(node: ast.arg, default: Optional[ast.expr]) -> Pieces:
    return [Child(node), *after(" = " if node.annotation else "=", default)]


def parameter(node: ast.arg) -> Inline:
    return ATOM, [node.arg, *after(": ", node.annotation)]


def keyword(node: ast.keyword) -> Inline:
    return ATOM, ["**", Child(node.value, BIT_OR)] if node.arg is None else [node.arg + "=", Child(node.value)]


def alias(node: ast.alias) -> Inline:
    return ATOM, [f"{node.name} as {node.asname}" if node.asname else node.name]


def type_variable(node: Any) -> Inline:
    return ATOM, [node.name, *after(": ", node.bound), *_type_default(node)]


def type_variable_tuple(node: Any) -> Inline:
    return ATOM, ["*" + node.name, *_type_default(node)]


def parameter_specification(node: Any) -> Inline:
    return ATOM, ["**" + node.name, *_type_default(node)]


def _type_default(node: Any) -> Pieces:
    """PEP 696: Python 3.13 gave type parameters defaults."""
    return after(" = ", getattr(node, "default_value", None))


def with_item(node: ast.withitem) -> Inline:
    return ATOM, [Child(node.context_expr), *after(" as ", node.optional_vars)]


SIGNATURES: Dict[str, Callable[[Any], Inline]] = {
    "ParamSpec": parameter_specification,
    "TypeVar": type_variable,
    "TypeVarTuple": type_variable_tuple,
    "alias": alias,
    "arg": parameter,
    "arguments": arguments,
    "keyword": keyword,
    "withitem": with_item,
}
