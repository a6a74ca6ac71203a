"""Dynamic sizes: torch's events about symbols -> plain data.

create_symbol                  s97, value 8, range [2, int_oo], L['x'].size()[0]
symbolic_shape_specialization  s97 is 8, because of a line of the user
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, Mapping

from depyf.capture.guard_words import plain
from depyf.capture.seams import INTERNED
from depyf.record.schema import Symbol

_RANGE = re.compile(r"\[(.*), (.*)\]\Z")


def symbol_of(details: Mapping[str, Any]) -> Symbol:
    """A symbol as torch creates it; one that stands for data has no value yet."""
    line, code = _place(details)
    bounds = _RANGE.match(str(details.get("vr") or ""))
    low, high = (None if "oo" in each else each for each in bounds.groups()) if bounds else (None, None)
    source = details.get("source")
    words = plain(str(source)) if source else "a value that the graph computes"
    return Symbol(str(details.get("symbol")), words, str(details.get("val", "")), low, high, None, line, code)


def fixed(symbol: Symbol, details: Mapping[str, Any]) -> Symbol:
    """The symbol after torch found that only one value is left."""
    line, code = _place(details)
    return replace(symbol, fixed=str(details.get("value")), user_line=line, user_code=code)


def _place(details: Mapping[str, Any]) -> tuple[str | None, str | None]:
    """The innermost line of the user's stack; torch's trace gives files by number."""
    stack = details.get("user_stack") or []
    if not stack or not isinstance(stack[-1], dict):
        return None, None
    frame = stack[-1]
    table = INTERNED.find() or {}
    file = next((name for name, number in table.items() if number == frame.get("filename")), None)
    code = str(frame.get("loc") or "").strip() or None
    return (f"{file}:{frame.get('line')}" if file else None), code
