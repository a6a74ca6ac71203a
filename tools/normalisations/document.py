"""``docs/normalisations.md``, made from the rules."""

from __future__ import annotations

from typing import List, Tuple

from normalisations.blocks import DOCSTRINGS, TAIL, TRY_TAIL
from normalisations.rules import BLOCKS, EXPRESSIONS, STATEMENTS
from normalisations.statements import ANNOTATION


def written_list() -> str:
    """``docs/normalisations.md``: every rule, its picture and its reason."""
    rows = [(rule.picture, rule.reason) for rule in (*EXPRESSIONS, *STATEMENTS, *BLOCKS)]
    rows += [TAIL, TRY_TAIL, DOCSTRINGS, ANNOTATION]
    rows.append(
        ("self.__x  =>  self._C__x   (in class C)", "private names are mangled (Doc/reference/expressions.rst)")
    )
    lines = [
        f"| {_code(left)} | {_code(right)} | {reason} |" for picture, reason in rows for left, right in _pairs(picture)
    ]
    return _HEAD + "\n".join(lines) + "\n"


def _pairs(picture: str) -> List[Tuple[str, str]]:
    return [(left, right) for left, _, right in (pair.partition("  =>  ") for pair in picture.split(";  "))]


def _code(text: str) -> str:
    code, _, note = text.partition("   (")
    return f"`{code}`" + (f" ({note}" if note else "")


_HEAD = """# What compiling forgets

A decompiled program is meant to read as it was written.  These pairs compile to the same bytecode, so that no
decompiler can know which of the two was written; either counts as a faithful answer in `tests/cases/` and in
`tools/corpus.py --fidelity`.  White space, comments, parentheses and quotes are no part of a syntax tree and need no
rule.  The list is made from `tools/normalisations/` by `make golden`.

| written | the same as | because |
|---|---|---|
"""
