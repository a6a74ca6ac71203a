"""Small pieces of Python text that are always valid."""

from __future__ import annotations

import ast
from functools import lru_cache


def comment(text: str, indent: str = "") -> str:
    """Every line of ``text`` as a comment; ends in a newline."""
    return "".join(f"{indent}# {line}".rstrip() + "\n" for line in _lines(text))


def docstring(text: str) -> str:
    """``text`` as a module docstring; ends in a newline."""
    safe = text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"').replace("\0", "\\0")
    return f'"""{safe}"""\n' if not safe.endswith('"') else f'"""{safe} """\n'


def one_line(text: str, longest: int = 160) -> str:
    """``text`` with its white space squeezed, cut with an ellipsis."""
    squeezed = " ".join(text.split())
    return squeezed if len(squeezed) <= longest else squeezed[: longest - 1] + "…"


@lru_cache(maxsize=256)  # a file is written again when a backward is compiled late
def is_expression(text: str) -> bool:
    """True for one Python expression on one line, which can stand anywhere."""
    try:
        ast.parse(text, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return len(text.splitlines()) == 1 and text == text.strip() and "\0" not in text


def count(number: int, noun: str) -> str:
    """``1 graph``, ``2 graphs``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _lines(text: str) -> list[str]:
    # Form feeds and other separators that str.splitlines knows do not end a comment for Python; \r does.
    lines = text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\\0").split("\n")
    return lines[:-1] if text.endswith("\n") else lines
