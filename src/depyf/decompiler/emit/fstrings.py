"""f-strings and t-strings.

    JoinedStr([Constant("a{"), FormattedValue(x, "r", JoinedStr([Constant(">8")]))])   =>   f"a{{{x!r:>8}"

Before Python 3.12 a replacement field may hold neither a backslash nor the quotes of an f-string around it (PEP 701),
so delimiters are tried until all fields fit; there are four, which bounds the depth and the number of attempts.
"""

from __future__ import annotations

import ast
from typing import Any, Callable, List, Optional, Sequence

from depyf.decompiler.emit.pieces import PARENTHESISED, TEST, Child, EmitError
from depyf.decompiler.emit.strings import (
    DELIMITERS,
    Around,
    escaped,
    fits,
    preferred_quote,
    unescaped,
)
from depyf.decompiler.versions import FIELDS_HOLD_ANY_TEXT

# Prints a child as it stands inside the given f-strings.
Write = Callable[[Child, Around], str]


def fstring(node: ast.JoinedStr, around: Around, write: Write) -> str:
    """The literal of an f-string.

    Raises:
        EmitError: no choice of quotes says this tree (before Python 3.12), or the node is none the parser makes.
    """
    return _literal("f", node.values, around, write)


def template(node: Any, around: Around, write: Write) -> str:
    """The literal of a t-string (PEP 750): its fields are the texts that ``Interpolation.str`` holds."""
    return _literal("t", node.values, around, write)


def lone_field(node: ast.FormattedValue, around: Around, write: Write) -> str:
    """A replacement field that stands outside any JoinedStr, which the compiler accepts: an f-string of one field."""
    return _literal("f", [node], around, write)


def _literal(prefix: str, values: Sequence[ast.AST], around: Around, write: Write) -> str:
    refusal: Optional[EmitError] = None
    for delimiter in _delimiters(values, around):
        try:
            literal = prefix + delimiter + _body(values, delimiter, around, write) + delimiter
        except EmitError as error:
            refusal = refusal or error
        else:
            if fits(literal, around):
                return literal
    raise refusal or EmitError("JoinedStr: before Python 3.12 no choice of quotes can say this f-string")


def _delimiters(values: Sequence[ast.AST], around: Around) -> Sequence[str]:
    texts = [str(value.value) for value in values if isinstance(value, ast.Constant)]
    quote = preferred_quote(around, *texts)
    if FIELDS_HOLD_ANY_TEXT:
        return [quote]
    delimiters = [quote, *(delimiter for delimiter in DELIMITERS if delimiter != quote)]
    return [delimiter for delimiter in delimiters if fits(delimiter, around)]


def _body(values: Sequence[ast.AST], delimiter: str, around: Around, write: Write, spec: bool = False) -> str:
    texts: List[str] = []
    for value in values:
        if isinstance(value, ast.Constant):
            texts.append(_text(value, delimiter, around, spec))
        elif isinstance(value, ast.FormattedValue) or type(value).__name__ == "Interpolation":
            texts.append(_field(value, delimiter, around, write))
        else:
            raise EmitError(f"JoinedStr: a {type(value).__name__} is not a part of an f-string")
    return "".join(texts)


def _text(node: ast.Constant, delimiter: str, around: Around, spec: bool) -> str:
    """Literal text; in a format spec doubled braces would mean something else."""
    if not isinstance(node.value, str):
        raise EmitError(f"JoinedStr: literal text must be a str, not {node.value!r:.80}")
    raw = unescaped(node.value, delimiter) if around and not FIELDS_HOLD_ANY_TEXT else None
    text = escaped(node.value, delimiter[0]) if raw is None else raw
    opening, closing = ("\\x7b", "\\x7d") if spec else ("{{", "}}")
    return text.replace("{", opening).replace("}", closing)


def _field(node: Any, delimiter: str, around: Around, write: Write) -> str:
    conversion = "" if node.conversion == -1 else "!" + chr(node.conversion)
    expression = _expression(node, (*around, delimiter), write)
    return "{" + expression + conversion + _spec(node, delimiter, around, write) + "}"


def _expression(node: Any, around: Around, write: Write) -> str:
    if type(node).__name__ == "Interpolation":
        return str(node.str)
    text = write(Child(node.value, PARENTHESISED if _exposes_lambda(node.value) else TEST), around)
    if not fits(text, around):
        raise EmitError("FormattedValue: before Python 3.12 this expression cannot stand inside an f-string")
    return " " + text if text.startswith("{") else text


def _exposes_lambda(node: ast.AST) -> bool:
    """Whether a lambda's colon would be read as the start of the format spec."""
    while isinstance(node, ast.IfExp):
        node = node.orelse
    return isinstance(node, ast.Lambda)


def _spec(node: Any, delimiter: str, around: Around, write: Write) -> str:
    spec = node.format_spec
    if spec is None:
        return ""
    if not isinstance(spec, ast.JoinedStr):
        raise EmitError(f"FormattedValue: format_spec must be a JoinedStr, not a {type(spec).__name__}")
    return ":" + _body(spec.values, delimiter, around, write, spec=True)
