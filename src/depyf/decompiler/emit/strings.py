"""Strings and bytes: which quotes, which escapes.

it's            =>  "it's"
say "hi"        =>  'say "hi"'
in f"{...}"     =>  'a', and before Python 3.12 neither a backslash nor a quote of an f-string around it
"""

from __future__ import annotations

import ast
import re
from typing import Any, Iterator, Optional, Tuple

from depyf.decompiler.emit.pieces import EmitError
from depyf.decompiler.versions import FIELDS_HOLD_ANY_TEXT

# Delimiters of the f-strings around a piece of text, outermost first.
Around = Tuple[str, ...]

DELIMITERS = ('"', "'", '"""', "'" * 3)

_NAMED_ESCAPES = {"\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}
_NEVER_RAW = re.compile("[\\\\\r\0\ud800-\udfff]")


def string_literal(node: ast.Constant, around: Around) -> str:
    """The literal of a str or bytes constant.

    Raises:
        EmitError: in a replacement field before Python 3.12, where some strings cannot be written.
    """
    for literal in _literals(node, around):
        if fits(literal, around):
            return literal
    raise EmitError(f"Constant: before Python 3.12 this cannot stand inside an f-string: {node.value!r:.80}")


def fits(text: str, around: Around) -> bool:
    """Whether text may stand in a replacement field of these f-strings."""
    if FIELDS_HOLD_ANY_TEXT or not around:
        return True
    one_line = any(len(delimiter) == 1 for delimiter in around)
    return not ("\\" in text or (one_line and "\n" in text) or any(delimiter in text for delimiter in around))


def preferred_quote(around: Around, *texts: str) -> str:
    """Double quotes, unless the f-string around has taken them or only they would need escapes."""
    first, second = ("'", '"') if around and around[-1][0] == '"' else ('"', "'")
    return second if any(first in text for text in texts) and not any(second in text for text in texts) else first


def escaped(text: str, quote: str) -> str:
    """The body of a one-line str literal between ``quote`` (one character)."""
    if text.isprintable() and quote not in text and "\\" not in text:
        return text
    return "".join(map(_escape, text)).replace(quote, "\\" + quote)


def unescaped(text: str, delimiter: str) -> Optional[str]:
    """The text itself where it may stand between the delimiters without any escape, else None."""
    if _NEVER_RAW.search(text) or delimiter in text or text.endswith(delimiter[0]):
        return None
    return None if len(delimiter) == 1 and "\n" in text else text


def visible(text: str) -> str:
    """Text for a comment: control characters, which could end the line or break the file, are spelt out."""
    return "".join(char if char == "\\" else _escape(char) for char in text)


def docstring(node: ast.Constant) -> str:
    """A str literal between triple quotes: line breaks and tabs are kept, white space at line ends is spelt out."""
    text: Any = node.value
    body = "".join(char if char in "\n\t" else _escape(char) for char in text)
    body = re.sub(r'"{3,}|"+\Z', lambda quotes: '\\"' * len(quotes[0]), body)
    body = re.sub(r"[ \t](?=\n)", lambda space: f"\\x{ord(space[0]):02x}", body)
    return f'{_prefix(node)}"""{body}"""'


def _literals(node: ast.Constant, around: Around) -> Iterator[str]:
    """Candidates, best first; without escapes only where escapes are forbidden."""
    value: Any = node.value
    text, prefix = (value.decode("latin-1"), "b") if isinstance(value, bytes) else (value, _prefix(node))
    quote = preferred_quote(around, text)
    yield prefix + quote + (_escaped_bytes(text, quote) if prefix == "b" else escaped(text, quote)) + quote
    if prefix == "b" and not text.isascii():
        return
    for delimiter in DELIMITERS:
        if unescaped(text, delimiter) is not None:
            yield prefix + delimiter + text + delimiter


def _prefix(node: ast.Constant) -> str:
    return getattr(node, "kind", None) or ""


def _escaped_bytes(text: str, quote: str) -> str:
    escapes = (_escape(char) if char.isascii() else f"\\x{ord(char):02x}" for char in text)
    return "".join(escapes).replace(quote, "\\" + quote)


def _escape(char: str) -> str:
    if char.isprintable() and char != "\\":
        return char
    code = ord(char)
    return _NAMED_ESCAPES.get(char) or (
        f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
    )
