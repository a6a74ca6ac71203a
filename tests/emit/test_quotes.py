"""Quotes and escapes inside f-strings, where Python before 3.12 (PEP 701) allows little."""

from __future__ import annotations

import ast
import itertools
from typing import Any, List

import pytest

from depyf.decompiler.emit import EmitError, emit
from depyf.decompiler.versions import FIELDS_HOLD_ANY_TEXT

PARTS = ["'", '"', "'" * 3, '"' * 3, "\n", "\t", "é", "{", "}", "a"]


def joined(*values: ast.expr) -> ast.Expression:
    """An f-string of literal text and of replacement fields for everything else."""
    parts: List[ast.expr] = [
        value if isinstance(value, ast.Constant) else ast.FormattedValue(value=value, conversion=-1, format_spec=None)
        for value in values
    ]
    return ast.Expression(ast.JoinedStr(values=parts))


def constant(value: object) -> ast.Constant:
    return ast.Constant(value=value, kind=None)


def call(value: object) -> ast.Call:
    return ast.Call(func=ast.Name("f", ast.Load()), args=[constant(value)], keywords=[])


def comes_back(tree: ast.Expression) -> bool:
    """Whether the printed text is the same tree; before Python 3.12 a refusal tells why it could not."""
    try:
        text = emit(tree)
    except EmitError:
        return False
    assert ast.dump(ast.parse(text, mode="eval")) == ast.dump(tree)
    return True


@pytest.mark.parametrize("text", ["".join(parts) for parts in itertools.product(PARTS, repeat=2)], ids=ascii)
def test_text_and_strings_with_quotes(text: str) -> None:
    assert comes_back(joined(constant(text)))
    spec = ast.JoinedStr(values=[constant(text)])
    assert comes_back(ast.Expression(ast.JoinedStr([ast.FormattedValue(call(""), -1, spec)])))
    # In a field, text with both kinds of triple quotes leaves no delimiter for the string and the f-string around it.
    assert comes_back(joined(call(text))) or not FIELDS_HOLD_ANY_TEXT
    assert comes_back(joined(constant(text), call("'"), constant(text), call(b'"')))


@pytest.mark.parametrize("text", ["'", '"', "\n", "\t", "it's", "a\n'b'"], ids=ascii)
def test_strings_that_every_python_can_say_in_a_field(text: str) -> None:
    assert comes_back(joined(call(text)))
    assert comes_back(joined(call(text.encode())))


@pytest.mark.parametrize("text", ["\\", "\r", "\0", "\ud800", "''' \"\"\""], ids=ascii)
def test_strings_that_only_escapes_can_say(text: str) -> None:
    tree = joined(call(text))
    if FIELDS_HOLD_ANY_TEXT:
        assert comes_back(tree)
    else:
        with pytest.raises(EmitError, match=r"before Python 3\.12"):
            emit(tree)


def test_nesting() -> None:
    """Four kinds of quotes hold four f-strings inside each other; Python 3.12 knows no such limit."""
    tree: Any = ast.Name("a", ast.Load())
    for depth in range(1, 30):
        tree = joined(tree).body
        assert comes_back(ast.Expression(tree)) == (depth <= 4 or FIELDS_HOLD_ANY_TEXT)


def test_a_field_outside_an_fstring_is_one() -> None:
    assert emit(ast.FormattedValue(value=call("a"), conversion=114, format_spec=None)) == "f\"{f('a')!r}\"\n"


@pytest.mark.parametrize(
    ("part", "message"),
    [
        (
            ast.FormattedValue(value=constant(1), conversion=-1, format_spec=constant("")),
            "format_spec must be a JoinedStr",
        ),
        (constant(1), "literal text must be a str, not 1"),
        (ast.Name("a", ast.Load()), "a Name is not a part of an f-string"),
    ],
)
def test_malformed_fstrings_are_refused(part: ast.expr, message: str) -> None:
    with pytest.raises(EmitError, match=message):
        emit(ast.JoinedStr(values=[part]))
