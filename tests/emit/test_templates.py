"""t-strings (PEP 750): nodes of Python 3.14, built by hand so that every Python prints them."""

from __future__ import annotations

import ast
from typing import Any, List, Optional, Type

import pytest

from depyf.decompiler.emit import emit


def node_class(name: str, *fields: str) -> Type[Any]:
    """The node class of this Python, or one like it."""
    return getattr(ast, name, None) or type(name, (ast.expr,), {"_fields": fields})


TemplateStr = node_class("TemplateStr", "values")
Interpolation = node_class("Interpolation", "value", "str", "conversion", "format_spec")


def field(text: str, conversion: int = -1, spec: Optional[List[ast.expr]] = None) -> ast.expr:
    node: ast.expr = Interpolation(
        value=ast.parse(text.strip(), mode="eval").body,
        str=text,
        conversion=conversion,
        format_spec=None if spec is None else ast.JoinedStr(values=spec),
    )
    return node


def text(value: str) -> ast.expr:
    return ast.Constant(value=value, kind=None)


@pytest.mark.parametrize(
    ("values", "printed"),
    [
        ([], 't""'),
        ([text("a{"), field("b")], 't"a{{{b}"'),
        ([field("b+c", 114, [text(">8")])], 't"{b+c!r:>8}"'),
        ([field(" {b}")], 't"{ {b}}"'),
        ([field("b['c']")], "t\"{b['c']}\""),
        ([text('"'), field('b["c"]')], 't\'"{b["c"]}\''),
    ],
)
def test_field_keeps_its_text(values: List[ast.expr], printed: str) -> None:
    tree = ast.Expression(TemplateStr(values=values))
    assert emit(tree) == printed + "\n"
    if hasattr(ast, "TemplateStr"):
        assert ast.dump(ast.parse(printed, mode="eval")) == ast.dump(tree)
